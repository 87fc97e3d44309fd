"""Measurements of the running program. Knows neither ADK nor Gradio."""
