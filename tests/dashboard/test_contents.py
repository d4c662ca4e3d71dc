"""What is remembered for all visitors is known by all that was asked: no two questions share an answer."""

import inspect
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from made import made_corpus
from mtsig_dashboard import compute, memory
from mtsig_dashboard.contents import key_of
from mtsig_dashboard.memory import Memory
from mtsig_dashboard.parts import raters

from mtsig import Corpus, Settings, measure
from mtsig.collection import Averaging, Sets
from mtsig.collection import measure as measure_sets
from mtsig.corpus import Note, Rating, SystemScores
from mtsig.corpus._ratings import RaterScores
from mtsig.errors import NotApplicable
from mtsig.figures import Matrix
from mtsig.lab import EXPERIMENTS, Material
from mtsig.lessons import LESSONS, Classroom
from mtsig.meta_eval import STATISTICS, RatedData
from mtsig.metrics import METRICS
from mtsig.report import Naming
from mtsig.report._meta_eval import places_table, verdict_counts_table
from mtsig.segments._ablation import Ablation
from mtsig.study import AnalysisPlan, Request, conduct


class Asked(Exception):
    """The key under which something was asked for."""

    def __init__(self, key: Hashable) -> None:
        self.key = key


@pytest.fixture
def _only_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(key: Hashable, _: object = None) -> None:
        raise Asked(key)

    for name in ("remembered", "at_once", "recalled"):
        monkeypatch.setattr(memory, name, stop)
        monkeypatch.setattr(compute, name, stop, raising=False)


def key(work: Callable[[], object]) -> Hashable:
    with pytest.raises(Asked) as found:
        work()
    return found.value.key


@cache
def rated(step: float = 1.0, seed: int = 1, systems: int = 3) -> Corpus:
    """Return a corpus with what two raters and a program say of its segments."""
    corpus, rng = made_corpus(systems=systems, seed=seed), np.random.default_rng(seed)
    people, da = (_by_two(rng.normal(size=(systems, 60)), shift) for shift in (step, 1.0))
    program = Rating(rng.normal(size=(systems, 60)), higher_is_better=True)
    return replace(corpus, ratings={"esa": people, "da": da, "COMET": program, "BLEURT": program})


def _by_two(mean: np.ndarray, apart: float) -> Rating:
    given: dict[str | None, np.ndarray] = {"Ann": mean - apart, "Bo": mean + apart}
    return Rating(mean, higher_is_better=True, rater_scores=RaterScores.of(given))


def _rated(seed: int) -> RatedData:
    return RatedData.of(rated(seed=seed), "rating:esa", ["rating:COMET", "rating:BLEURT"])


DRAWS = Settings(n_resamples=200)
OTHER = Settings(
    n_resamples=300, seed=7, unit="segment", level=0.9, test="ar", correction="holm", interval="percentile"
)
"""Other settings in all that anything reads."""


@cache
def values() -> dict[str, tuple[Any, Any]]:
    """Return for every argument of whatever is asked two values."""
    corpora, bleu, chrf = (rated(seed=1), rated(seed=2)), METRICS["bleu"], METRICS["chrf"]
    statistics = tuple(measure(corpus, bleu) for corpus in corpora)
    families = tuple(DRAWS.family(each) for each in statistics)
    requests = tuple(Request((metric,), DRAWS) for metric in (bleu, chrf))
    sets = tuple(Sets.of({"a": corpora[0], "b": corpus}) for corpus in (rated(seed=3), rated(seed=4)))
    studies = tuple(conduct(corpus, requests[0]) for corpus in corpora)
    over = (Averaging(), Averaging(weights={"a": 1.0, "b": 2.0}))
    return {
        "corpus": corpora, "statistics": statistics, "family": families, "request": requests, "sets": sets,
        "many": (statistics[:1], statistics[1:]), "study": studies, "metric": (bleu, chrf), "settings": (DRAWS, OTHER),
        "first": ("sys0", "sys2"), "second": ("sys1", "sys2"), "by": ("length", "domain"), "rating": ("esa", "da"),
        "difference": (1.0, None), "margin": (None, 1.0), "comparisons": (1, 10), "i": (0, 1), "sizes": ((), (10, 20)),
        "judged_at": ((0.95, 1), (0.99, 3)), "expression": ("a", "b"),
        "pair": (None, ("sys0", "sys1")),
        "mapping": tuple({"sys0": runs, "sys1": ("sys1",), "sys2": ()} for runs in (("sys0",), ("sys0", "sys2"))),
        "ablation": (Ablation(repeats=3), Ablation(repeats=4)), "table": (places_table, verdict_counts_table),
        "naming": (Naming(), Naming({"sys0": "Ours"})), "paper": ("acl-column", "acl-full"), "form": ("all", "which"),
        "picture": tuple(map(Matrix.of, families)),
        "chosen": (EXPERIMENTS["tests"], replace(EXPERIMENTS["tests"], n_resamples=177)),
        "material": tuple(Material((each,), corpus) for each, corpus in zip(statistics, corpora, strict=True)),
        "human": (METRICS["bleu"], chrf), "metrics": ((chrf,), (chrf, bleu)), "humans": ("exclude", "include"),
        "rated": (_rated(1), _rated(2)), "statistic": (STATISTICS["spa"], STATISTICS["pearson"]),
        "exchanged": ("item", "systems"), "name": ("COMET", "esa"), "kind": ("alpha", "kappa"), "raters": (2, 3),
        "without": ((), ("sys0",)), "wanted": ({"price_rating": 1.0}, {"price_rating": 2.0}),
        "position": (0, 1), "mode": ("matches", "plain"), "layout": ("rows", "columns"),
        "options": ({"systems": 3}, {"systems": 4}), "no_verdict": ("a", "b"), "over": over,
        "lesson": LESSONS[:2], "room": tuple(Classroom(each) for each in statistics),
    }  # fmt: skip


OTHERWISE: dict[str, dict[str, Callable[[], tuple[Any, Any]]]] = {
    "over_sets": {
        "statistics": lambda: tuple(measure_sets(each, "bleu") for each in values()["sets"]),  # type: ignore[dict-item]
    },
    "planned_study": {"plan": lambda: tuple(AnalysisPlan(each, "") for each in values()["request"])},  # type: ignore[dict-item]
    "outputs_alike": {"metric": lambda: ("COMET", "BLEURT")},
    "study_over_sets": {"plan": lambda: (None, AnalysisPlan(values()["request"][1], ""))},
}
"""Where an argument of this name means something else."""

ASKING = {"parts", "measured_sets", "corpora", "samples", "rater_scores", "redrawing", "section", "compared", "scored"}
"""What is not remembered, or asks others."""

ASKED = [
    function
    for module in (compute, raters)
    for name, function in inspect.getmembers(module, inspect.isfunction)
    if function.__module__ == module.__name__ and not name.startswith("_") and name not in ASKING
]
"""All others."""


@pytest.mark.usefixtures("_only_asked")
@pytest.mark.parametrize("function", ASKED, ids=lambda function: function.__name__)
def test_two_questions_that_differ_in_one_argument_share_no_answer(function: Callable[..., object]) -> None:
    own = {name: make() for name, make in OTHERWISE.get(function.__name__, {}).items()}
    parameters = inspect.signature(function).parameters.values()
    known = {
        each.name: own.get(each.name) or values()[each.name]
        for each in parameters
        if each.name in own or each.name in values()
    }
    more = [each.name for each in parameters if each.kind is each.VAR_KEYWORD]
    flags = [each for each in parameters if each.name not in known]
    assert {each.annotation for each in flags} <= {bool, "bool"}, flags
    known |= {each.name: (True, False) for each in flags}

    def of(changed: str = "") -> Hashable:
        given = {name: pair[name == changed] for name, pair in known.items()}
        spread = {name: value for name in more for name, value in given.pop(name).items()}
        return key(lambda: function(**given, **spread))

    assert of() == of()
    hash(of())
    for name in known:
        assert of(name) != of(), name


def test_two_values_of_any_argument_are_told_apart() -> None:
    for name, (one, other) in values().items():
        assert key_of(name, one) == key_of(name, one)
        assert key_of(name, one) != key_of(name, other), name


def test_what_is_known_of_raters_is_shared_by_no_two_that_gave_other_values() -> None:
    ann = np.array([[1.0, 2.0, 3.0], [2.0, 2.0, 1.0]])
    bo = ann + np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
    given: list[dict[str | None, np.ndarray]] = [
        {"Ann": ann, "Bo": bo},
        {"Ann": bo, "Bo": ann},
        {"Ann": ann, "rater 2": bo},
    ]
    of_corpora, of_rater_scores = set(), set()
    for by_rater in given:
        rater_scores = RaterScores.of(by_rater)
        rating = Rating((ann + bo) / 2, higher_is_better=True, rater_scores=rater_scores)
        of_corpora.add(key_of(Corpus.of({"A": None, "B": None}, ratings={"esa": rating})))
        of_rater_scores.add(key_of(rater_scores.signed))
    assert len(of_corpora) == len(of_rater_scores) == len(given)


def test_what_digests_say_nothing_of_is_in_a_key() -> None:
    corpus = rated()
    others = {
        "who gave what": rated(step=0.0),
        "notes": replace(corpus, notes=(Note("note", "read twice"),)),
        "scores of whole systems": replace(corpus, system_scores={"official": SystemScores({"sys0": 1.0}, True)}),
        "the place in the whole": corpus.take(range(60)),
    }
    people = {name: other for name, other in others.items() if name != "who gave what"}
    assert {other.digest for other in people.values()} == {corpus.digest}
    assert len({key_of(corpus), *map(key_of, others.values())}) == len(others) + 1
    assert key_of(rated.__wrapped__()) == key_of(corpus)


def test_values_that_python_takes_for_equal_are_told_apart() -> None:
    alike = [1, 1.0, True, "1", None, 0.0, -0.0, [1], (1,), {1}, {"a": 1}, {"a": True}, {"a": None}]
    assert len({key_of(each) for each in alike}) == len(alike)
    assert key_of(float("nan")) == key_of(float("nan"))
    texts = [f"text {number}" for number in range(1000)]
    assert key_of(texts) != key_of([*texts[:-1], "another"])


@dataclass
class Changing:
    """Options that may be others when they are asked again."""

    draws: int = 1


@pytest.mark.parametrize(
    "thing", [Changing(), np.zeros(3), object(), lambda: 1], ids=lambda thing: type(thing).__name__
)
def test_what_nobody_knows_is_refused(thing: object) -> None:
    with pytest.raises(TypeError, match=r"identified"):
        key_of("verb", thing)


def test_a_refusal_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Memory(10**6)
    monkeypatch.setattr(memory, "remembered", lambda key, work: kept.remembered(key, work, lambda: None))
    calls: list[str] = []

    def worked(text: str, verb: object, *args: object) -> None:
        calls.append(text)
        raise NotApplicable("two raters are too few")

    monkeypatch.setattr(memory, "worked", worked)
    for _ in range(2):
        with pytest.raises(NotApplicable, match="two raters are too few"):
            memory.asked("Looking …", measure, rated(), METRICS["bleu"])
    assert calls == ["Looking …"]
