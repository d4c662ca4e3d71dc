"""The law of the test set's size, which stands left of the lab because reports draw it: shown here with the others."""

from mtsig.ablation import Ablation, SizeCurves, ablate, usable_sizes

__all__ = ["Ablation", "SizeCurves", "ablate", "usable_sizes"]
