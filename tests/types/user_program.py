"""What a user may write: mypy checks these lines with the program's own, and tests/test_public_api.py runs them."""

from pathlib import Path

import numpy as np
import pandas as pd

import mtsig
from mtsig.collection import Averaging

SCORES = {"A": [0.9, 0.8, 0.7, 0.9, 0.6, 0.8, 0.7], "B": [0.5, 0.7, 0.4, 0.6, 0.5, 0.6, 0.5]}


def of_scores() -> list[str]:
    """Compare scores in each form that they come in."""
    array = np.array(list(SCORES.values()))
    long = pd.DataFrame(SCORES).melt(var_name="system", value_name="score")
    studies = [
        mtsig.compare(SCORES, name="accuracy", higher_is_better=True),
        mtsig.compare(pd.DataFrame(SCORES), name="accuracy", higher_is_better=True, level=0.95, seed=1),
        mtsig.compare(array, systems=["A", "B"], name="accuracy", higher_is_better=True, n_resamples=500),
        mtsig.compare(ratings={"accuracy": SCORES}, higher_is_better={"accuracy": True}),
        mtsig.compare(SCORES["A"], SCORES["B"], name="accuracy", higher_is_better=True),
        mtsig.compare(long, system="system", score="score", name="accuracy", higher_is_better=True),
    ]
    frame: pd.DataFrame = studies[0].to_frame("scores")
    text: str = studies[0].to_latex() + str(studies[0])
    assert len(frame) == 2
    assert text
    winners: list[str | None] = [comparison.winner for study in studies for comparison in study.comparisons]
    assert winners == ["A"] * 6
    return [mtsig.verdict(comparison).word for study in studies for comparison in study.comparisons]


def written(folder: Path) -> str:
    """Write tables into files, and have them as text; look for results by index, by name and by slice."""
    study = mtsig.compare(SCORES, name="accuracy", higher_is_better=True)
    study.to_csv(folder / "table.csv")
    study[0].scored.to_latex(str(folder / "scores.tex"))
    one: float = study[0].scored["A"].score + study[0].scored[0].score
    assert [score.score for score in study[0].scored[:1]] == [one / 2]
    assert len(study[:1]) == 1
    pair: float = study["accuracy"]["A", "B"].difference
    assert pair == study.comparisons["A", "B"].difference == study.results["accuracy"]["A", "B"].difference
    of_set = study.sets[0]["accuracy"]
    assert pair == -of_set["B", "A"].difference
    assert of_set["A"].score == one / 2
    text: str = study.to_csv()
    assert (folder / "table.csv").read_text() == text
    return text + study[0].scored.to_markdown()


def of_corpora(folder: Path) -> list[float]:
    """Compare corpora, statistics and test sets."""
    corpus: mtsig.Corpus = mtsig.read(folder)
    statistics = mtsig.measure(corpus, "chrf")
    settings = mtsig.Settings(n_resamples=200)
    pair = [("direct", "via-catalan")]
    studies: list[mtsig.Study] = [
        mtsig.compare(corpus, ["chrf"], pairs=pair, settings=settings),
        mtsig.compare(folder, "chrf", pairs=pair, by="length:2", n_resamples=200),
        mtsig.compare([statistics], pairs=pair, settings=settings, margin=2.5),
        mtsig.compare({"a": corpus, "b": corpus}, "chrf", pairs=pair, averaging=Averaging(weights="segments")),
    ]
    by_test: list[float] = [row.p_value for row in mtsig.audit(statistics, *pair[0], settings)]
    return by_test + [float(row["difference"]) for study in studies for row in study.rows()]


def refused() -> None:
    """Make mistakes that mypy names; every comment below is needed, or mypy says so."""
    mtsig.compare(SCORES, levl=0.9)  # type: ignore[call-overload]
    mtsig.compare(SCORES, level="high")  # type: ignore[call-overload]
    mtsig.compare(mtsig.read_sample(), references=["a"])  # type: ignore[call-overload]
    mtsig.compare({"a": mtsig.read_sample()}, margin=1.0)  # type: ignore[arg-type]
    mtsig.compare(5)  # type: ignore[call-overload]
    print(mtsig.measure(mtsig.read_sample(), "bleu").score)  # type: ignore[attr-defined]
    mtsig.compare(SCORES).to_frame("score")  # type: ignore[arg-type]
    text: str = mtsig.compare(SCORES).to_csv("table.csv")  # type: ignore[assignment]
    print(mtsig.compare(SCORES).to_csv(1), text)  # type: ignore[call-overload]
