"""The embedded implementation of the store: SQLite, and FAISS as a cache."""
