"""Statistics and a scheme go in, draws come out: the kernel of the program.

>>> import mtsig
>>> from mtsig.resampling import Bootstrap, resample
>>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
>>> resample(statistics, Bootstrap(n_draws=200)).draws.shape
(5, 200)
"""

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
