"""All that touches gradio: the page."""
