"""Pilot: a pair on the data at hand goes in; what it knows of its own spread comes out, or why that is too little."""

from mtsig.corpus import MIN_DOCUMENTS, Note
from mtsig.errors import NotApplicable
from mtsig.inference.cautions import cautions, spread_unknown, too_unequal
from mtsig.inference.targets import Pairs, Scores, pairs_of
from mtsig.metrics import Statistics, Unit
from mtsig.resampling import Bootstrap


def pilot_of(statistics: Statistics, first: str, second: str, unit: Unit) -> Pairs:
    """Return a pair as targets, on the units that both systems have.

    Raises:
        NotApplicable: these are too few documents.
    """
    shared = statistics.at(unit).shared_by([first, second]) if first != second else statistics.at(unit)
    if shared.unit == "document" and shared.n < MIN_DOCUMENTS and statistics.unit != "document":
        raise NotApplicable(
            f"Only {shared.n} documents are known for both {first} and {second}: too few for document-level inference, "
            f"which needs at least {MIN_DOCUMENTS}. Use the segment as the unit."
        )
    return pairs_of(Scores(shared, Bootstrap(unit=unit)), [(first, second)])


def pair_cautions(statistics: Statistics, first: str, second: str, unit: Unit) -> tuple[Note, ...]:
    """Return what to know of the units of a pair before anything is concluded from them.

    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> from mtsig.inference import pair_cautions
    >>> print(pair_cautions(statistics, "direct", "via-catalan", "auto")[0].text)
    A document unlike the others that is not among the 20 cannot be seen from them.
    """
    return tuple(cautions(pilot_of(statistics, first, second, unit)))


def spread_of(pairs: Pairs) -> tuple[float, float]:
    """Return the standard error of the pair's difference, and its degrees of freedom.

    Raises:
        NotApplicable: it is not known, or documents are so unequal that they carry no verdict.
    """
    why = unspread(pairs) or too_unequal(pairs)[0]
    if why:
        raise NotApplicable(f"{' and '.join(pairs.labels[0])}: {why}. So neither power nor needed size can be judged.")
    return float(pairs.standard_error[0]), float(pairs.df[0])


def unspread(pairs: Pairs) -> str:
    """Return why the pair's standard error says nothing; "" where it does."""
    unit, units, differing = pairs.statistics.unit, int(pairs.units[0]), int(pairs.n_differing[0])
    return spread_unknown(unit, units, differing, float(pairs.standard_error[0]))
