"""What was drawn once serves every correction, level and interval: the digits are those of a fresh computation."""

import pickle
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest
from made import edited_reference, made_corpus

import mtsig.inference._settings as settings_module
from mtsig import Settings, measure
from mtsig.errors import NotApplicable
from mtsig.inference import CORRECTIONS, INTERVALS, TESTS, Family
from mtsig.inference._settings import Kept
from mtsig.metrics import Statistics

DRAWN = Settings(n_resamples=60)
LEVELS = (0.95, 0.8)

edited = cache(edited_reference)


def told(family: Family) -> object:
    """Return all that a family says, NaN equal to itself."""
    without = {name: told(one) for name, one in family.without.items()}
    return repr((family.rows(), family.notes, family.order, family.complete, without))


def outcome(many: list[Statistics], settings: Settings, joined: bool, kept: Kept | None) -> object:
    try:
        return [told(one) for one in settings.families(many, joined=joined, kept=kept)]
    except NotApplicable as error:
        return str(error)


def held(many: list[Statistics], settings: Settings, joined: bool) -> Kept:
    """Return what is drawn, after the way that it goes from process to process."""
    kept, _ = settings.keeping(many, joined=joined)
    found: Kept = pickle.loads(pickle.dumps(kept))
    return found


@pytest.mark.parametrize(("test", "documents"), [("auto", 12), ("ar", 0)])
def test_every_correction_level_and_interval_is_as_if_drawn_anew(
    test: str, documents: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = [measure(made_corpus(36, 3, documents), "bleu")]
    drawn = replace(DRAWN, test=test)
    kept = held(many, drawn, False)
    wanted = [
        replace(drawn, correction=correction, level=level, interval=interval)
        for correction, level, interval in [
            *product(CORRECTIONS, LEVELS, ["auto"]),
            *product(["auto"], LEVELS, INTERVALS),
            ("holm", 0.9, "simultaneous"),
        ]
    ]
    fresh = [outcome(many, one, False, None) for one in wanted]
    assert len(set(map(str, fresh))) > len(CORRECTIONS)

    def drawn_again(*args: object) -> None:
        raise AssertionError(f"drawn again: {args}")

    monkeypatch.setattr(settings_module, "tested", drawn_again)
    assert [outcome(many, one, False, kept) for one in wanted] == fresh


@pytest.mark.parametrize("names", [("bleu",), ("bleu", "chrf")])
def test_several_metrics_and_kin_of_a_reference_are_kept_too(
    names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = edited().select(systems=["kin", "sys0", "sys1"])
    many, joined = [measure(corpus, name) for name in names], len(names) > 1
    kept = held(many, DRAWN, joined)
    wanted = [
        replace(DRAWN, correction=correction, level=0.9, interval=interval)
        for correction, interval in (("holm", "auto"), ("none", "percentile"), ("minp", "simultaneous"))
    ]
    fresh = [outcome(many, one, joined, None) for one in wanted]
    assert "Without reference" in str(fresh)
    monkeypatch.setattr(settings_module, "tested", None)
    assert [outcome(many, one, joined, kept) for one in wanted] == fresh


@pytest.mark.parametrize("test", ["ar", "bootstrap-shift", "wilcoxon"])
@pytest.mark.parametrize("names", [("bleu",), ("ter", "chrf")])
def test_another_test_takes_the_redraws_that_are_there(
    test: str, names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = edited().select(systems=["kin", "sys0", "sys1"])
    many, joined = [measure(corpus, name) for name in names], len(names) > 1
    kept, other = held(many, DRAWN, joined), replace(DRAWN, test=test)
    fresh = outcome(many, other, joined, None)
    calls: list[object] = []
    drawn = settings_module.resample_together
    monkeypatch.setattr(settings_module, "resample_together", lambda *args: calls.append(args) or drawn(*args))
    try:
        found: object = [told(one) for one in other.keeping(many, joined=joined, redrawn=kept.redrawn)[1]]
    except NotApplicable as error:
        found = str(error)
    assert found == fresh
    assert calls == [] or TESTS[test].segment_only


def test_other_draws_are_not_taken_for_these() -> None:
    many = [measure(made_corpus(36, 2, 12), "bleu")]
    for change in ({"n_resamples": 61}, {"seed": 1}):
        other = replace(DRAWN, **change)
        again = other.keeping(many, redrawn=held(many, DRAWN, False).redrawn)[1]
        assert [told(one) for one in again] == outcome(many, other, False, None)


@pytest.mark.parametrize("change", [{"test": "ar"}, {"n_resamples": 61}, {"seed": 1}, {"unit": "segment"}])
def test_other_draws_are_refused(change: dict[str, object]) -> None:
    many = [measure(made_corpus(36, 2, 12), "bleu")]
    kept = held(many, DRAWN, False)
    with pytest.raises(ValueError, match="other settings"):
        replace(DRAWN, **change).families(many, kept=kept)


def test_what_is_kept_is_small() -> None:
    """The draws of systems are kept, and not those of every pair."""
    statistics = measure(made_corpus(40, 12), "bleu")
    kept = held([statistics], Settings(test="jackknife-t", n_resamples=5000), False)
    pairs = 66 * 5000 * np.dtype(np.float64).itemsize
    assert len(pickle.dumps(kept)) < pairs
