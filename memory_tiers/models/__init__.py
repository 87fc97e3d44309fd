"""Data of the packaged embedding model: its tokenizer, with the licence it comes under."""
