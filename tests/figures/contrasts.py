"""Contrast of two colours by the formula of WCAG 2, on the pages of both themes."""

import re

LIGHT, DARK = "#ffffff", "#0e1117"
"""Streamlit's own backgrounds, which the settings leave as they are."""


def _linear(channel: float) -> float:
    share = channel / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def _channels(colour: str) -> list[float]:
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def luminance(colour: str) -> float:
    """Return the relative luminance of a #RRGGBB colour."""
    red, green, blue = (_linear(channel) for channel in _channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two #RRGGBB colours."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def over(colour: str, ground: str) -> str:
    """Return what an rgba(…) colour looks like on a ground."""
    *channels, opacity = (float(part) for part in re.findall(r"[\d.]+", colour))
    mixed = (opacity * top + (1 - opacity) * below for top, below in zip(channels, _channels(ground), strict=True))
    return "#" + "".join(f"{round(channel):02x}" for channel in mixed)
