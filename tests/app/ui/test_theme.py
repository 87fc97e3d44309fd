"""The colours can be read, in the light and in the dark; nothing comes from other hosts."""

import re
from itertools import product

import pytest

from app.gate import POLICY
from app.ui.theme import HERE, head

STYLE = (HERE / "style.css").read_text(encoding="utf-8")
# What is written on what, as the style sheet combines them.
TEXT = [
    *product(("ink", "soft", "accent"), ("page", "side", "raised")),
    ("accent-ink", "accent"),
    ("ink", "accent-soft"),
    ("ink", "warn-soft"),
    ("warn", "warn-soft"),
    ("warn", "page"),
    ("warn", "raised"),
    ("bad", "bad-soft"),
    ("bad", "raised"),
    ("good", "good-soft"),
    ("good", "raised"),
]


def colours(selector):
    """Read the colours named in the first rule of a selector."""
    rule = STYLE[STYLE.index(selector) :]
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", rule[: rule.index("}")]))


def luminance(colour):
    """Return the relative luminance (WCAG 2) of a colour, 0 to 1."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    """Return the contrast (WCAG 2) of two colours, 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("selector", [":root, body {", "body.dark {"], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), TEXT)
def test_text_can_be_read(selector, ink, ground):
    """Every pair of ink and ground has the contrast that WCAG AA asks for, 4.5."""
    named = colours(selector)

    assert contrast(named[ink], named[ground]) >= 4.5


@pytest.mark.parametrize("selector", [":root, body {", "body.dark {"], ids=["light", "dark"])
def test_borders_of_fields_can_be_seen(selector):
    """The border of what can be typed into stands out from its grounds, 3."""
    named = colours(selector)

    assert all(
        contrast(named["line-strong"], named[ground]) >= 3 for ground in ("page", "side", "raised")
    )


def test_nothing_names_another_host():
    """Style and script refer to no address, and the policy allows our own alone."""
    content = head()

    assert "default-src 'self'" in POLICY and "http://" not in POLICY and "https://" not in POLICY
    assert not re.findall(r"(?:https?:)?//[a-z0-9-]+\.[a-z]+", content)
    assert "@import" not in content and "url(" not in content
