"""Contrast of two colours by the formula of WCAG 2, and how far apart they are for whoever sees fewer colours."""

import re
import tomllib

import numpy as np
from made import ROOT
from numpy.typing import NDArray

_THEMES = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]

LIGHT, DARK = "#ffffff", _THEMES["dark"]["backgroundColor"]
"""The backgrounds of pages: of the light theme Streamlit's own."""

ACCENTS = tuple(_THEMES[theme]["primaryColor"].lower() for theme in ("light", "dark"))


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


SEEN = {
    "all colours": np.eye(3),
    "protanopia": np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                            [-0.003882, -0.048116, 1.051998]]),
    "deuteranopia": np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                              [-0.011820, 0.042940, 0.968881]]),
    "tritanopia": np.array([[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                            [0.004733, 0.691367, 0.303900]]),
    "grey": np.array([[0.2126, 0.7152, 0.0722]] * 3),
}  # fmt: skip
"""What becomes of linear red, green and blue: Machado, Oliveira and Fernandes (2009), severity 1; grey as printed."""

_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)


def apart(one: str, other: str, seen: str) -> float:
    """Return the distance of two #RRGGBB colours in CIE 1976 L*a*b*, as somebody sees them."""
    return float(np.linalg.norm(_lab(one, seen) - _lab(other, seen)))


def _lab(colour: str, seen: str) -> NDArray[np.float64]:
    linear = np.clip(SEEN[seen] @ [_linear(channel) for channel in _channels(colour)], 0, 1)
    share = _XYZ @ linear / _XYZ.sum(axis=1)
    root = np.where(share > (6 / 29) ** 3, np.cbrt(share), share / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])
