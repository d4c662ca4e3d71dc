"""The laws of the methods: statistics go in, what happens when something about the test set changes comes out."""

from mtsig.experiments.ablation import Ablation, SizeCurves, ablate, ablating, usable_sizes

__all__ = ["Ablation", "SizeCurves", "ablate", "ablating", "usable_sizes"]
