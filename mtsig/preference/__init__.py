"""Analyse pairwise preferences of raters or models: strengths, direct comparisons and their verdicts."""

from mtsig.preference._data import Preferences
from mtsig.preference._judged import Judged, plan_preferences, preferences
from mtsig.preference._verdict_files import read_preferences

__all__ = ["Judged", "Preferences", "plan_preferences", "preferences", "read_preferences"]
