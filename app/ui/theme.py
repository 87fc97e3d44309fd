"""How the page looks, and the scripts it brings."""

from pathlib import Path

import gradio as gr

HERE = Path(__file__).parent


def head() -> str:
    """Return what goes into the page's head.

    The style goes here because Gradio rewrites what it gets as `css`, media queries above all.
    """
    style = (HERE / "style.css").read_text(encoding="utf-8")
    scripts = ("page.js", "standing.js")
    script = "\n".join((HERE / name).read_text(encoding="utf-8") for name in scripts)
    return f"<style>{style}</style><script>{script}</script>"


def theme() -> gr.themes.Base:
    """Return the theme: fonts that come with Gradio, and colours which the style sheet names."""
    return gr.themes.Base(
        primary_hue="teal",
        neutral_hue="stone",
        # The bundled semi-bold cuts lack most letters, so bold is the second weight.
        font=[gr.themes.LocalFont("Source Sans Pro", (400, 700)), "system-ui", "sans-serif"],
        font_mono=[gr.themes.LocalFont("IBM Plex Mono", (400, 700)), "monospace"],
    )
