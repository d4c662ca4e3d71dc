"""Statistics and a scheme go in, draws come out: the kernel of the program."""

from mtsig.resampling.draws import (
    Distribution,
    differing_units,
    resample,
    resample_together,
    shuffle,
    shuffle_completely,
    sign_of,
)
from mtsig.resampling.schemes import BLOCK, Bootstrap, Scheme, Subsample, Swap
from mtsig.resampling.words import RNG, Purpose, Words

__all__ = [
    "BLOCK",
    "RNG",
    "Bootstrap",
    "Distribution",
    "Purpose",
    "Scheme",
    "Subsample",
    "Swap",
    "Words",
    "differing_units",
    "resample",
    "resample_together",
    "shuffle",
    "shuffle_completely",
    "sign_of",
]
