"""Stages as they stand after so many steps, on paper: for handouts and notebooks."""

from mtsig.lessons.figures.still import Still

__all__ = ["Still"]
