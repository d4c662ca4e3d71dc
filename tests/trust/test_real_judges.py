"""Real judges: TED talks of WMT21, whose outputs one rater each marked."""

from pathlib import Path

import numpy as np
import pytest

from mtsig.corpus import Corpus, Rating
from mtsig.errors import NotApplicable
from mtsig.readers import assemble, parts_of
from mtsig.readers._files import File
from mtsig.resampling import Bootstrap
from mtsig.trust import agreement, compare_with_random_judges, leniency


@pytest.fixture(scope="module")
def ted(shared: Path) -> Corpus:
    folder = shared / "data/wmt21-ted-zh-en"
    files = {"docids.txt": folder / "docids.txt", "mqm.tsv": folder / "human/raw/mqm_ted_zhen.6systems.tsv"}
    return assemble(parts_of([File(name, path.read_bytes()) for name, path in files.items()]))


def _mqm(corpus: Corpus) -> Rating:
    return corpus.ratings["mqm"]


def test_one_judge_an_output_tells_no_agreement(ted: Corpus) -> None:
    rating = _mqm(ted)
    assert rating.judgements is not None
    assert len(rating.judgements) == 3174 == np.count_nonzero(~np.isnan(rating.values))
    with pytest.raises(NotApplicable, match="No output was rated by two judges"):
        agreement(rating.judgements)


def test_but_how_severe_they_are_or_why_that_cannot_be_told(ted: Corpus) -> None:
    judgements = _mqm(ted).judgements
    assert judgements is not None
    found = leniency(judgements, list(ted.systems), documents=ted.documents, scheme=Bootstrap(200))
    assert sum(one.leniency for one in found.levels) == pytest.approx(0, abs=1e-9)
    assert sum(one.ratings for one in found.levels) == 3174


def test_verdicts_for_other_judges_are_no_surer_than_for_these(ted: Corpus) -> None:
    judgements = _mqm(ted).judgements
    assert judgements is not None
    found = compare_with_random_judges(judgements, list(ted.systems), documents=ted.documents).comparisons
    assert len(found) == 15
    for one in found:
        assert one.reason or one.standard_error >= one.fixed_error
        assert np.isfinite(one.fixed_p)
