"""Studies of every kind: valid by the published schema, the same to the digit after a round trip, safe from edits."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from kept import lacking
from made import made_corpus, put, sealed
from sampled import crossed, sampled

from mtsig import Corpus, Settings, metric
from mtsig.corpus import Rating
from mtsig.corpus._slices import only
from mtsig.inference import INTERVALS, TESTS
from mtsig.metrics import Rated
from mtsig.report import EXPORTERS, Document
from mtsig.study import Margin, Request, Study, conduct, study_of, study_schema
from mtsig.study._changes import reproduce
from mtsig.study._request import plan_of

QUICK = Settings(n_resamples=200)

PLAN = """
metrics = ["bleu", "chrf"]
pairs = [["sys2", "sys0"], ["sys2", "sys1"]]
alternative = "greater"
n_resamples = 200
[equivalence]
bleu = 1
[non_inferiority]
chrf = 2
"""


def texts(**changes: Any) -> Corpus:
    return made_corpus(**{"n": 60, "systems": 3, "documents": 0} | changes)


def rated() -> Corpus:
    """A rating where lower is better, with gaps."""
    values = np.random.default_rng(2).normal(5, 1, (3, 60)) + np.arange(3)[:, None]
    values[1, :9] = np.nan
    return replace(texts(), ratings={"mqm": Rating(values, higher_is_better=False, rater="raters")})


def of_runs() -> Corpus:
    made = texts(systems=4)
    names = dict(zip(made.outputs, ("ours.run1", "ours.run2", "base.run1", "base.run2"), strict=True))
    return Corpus.of({names[name]: lines for name, lines in made.outputs.items()}, made.references)


def asked(*names: str, margins: tuple[Margin, ...] = (), joined: bool = False, pairs: Any = "all", **changes: Any):
    request = Request(tuple(metric(name) for name in names), replace(QUICK, **changes), pairs, joined, margins)
    return lambda corpus: conduct(corpus, request)


def of_plan(corpus: Corpus) -> Study:
    return conduct(corpus, plan=plan_of(PLAN))


PAIRED = [name for name in INTERVALS if name not in ("koehn", "t", "wilson", "sacrebleu")]
"""The intervals that differences have, too."""

KINDS: dict[str, tuple[Callable[[], Corpus], Callable[[Corpus], Study]]] = {
    "text": (texts, asked("bleu", "chrf", "ter", "nist", "rouge-l", "bp", "sentbleu")),
    "joined": (texts, asked("bleu", "ter", joined=True)),
    "two systems": (lambda: texts(systems=2), asked("bleu")),
    "several references": (lambda: texts(references=2), asked("bleu:lowercase=true")),
    "ratings": (rated, lambda corpus: conduct(corpus, Request((Rated("mqm"), metric("bleu")), QUICK))),
    "documents": (lambda: texts(documents=12), asked("bleu", "chrf")),
    "runs": (of_runs, asked("chrf")),
    "slice": (lambda: only(texts(documents=12), ["length=short"]), asked("bleu")),
    "planned": (texts, of_plan),
    "one-sided": (texts, asked("bleu", pairs="sys0", alternative="less")),
    "margins": (texts, asked("bleu", margins=(Margin("bleu", "equivalence", 2), Margin("bleu", "non-inferiority", 2)))),
    "nothing differs": (lambda: same(texts()), asked("bleu", "ter")),
    **{f"test {name}": (texts, asked("sentchrf", test=name)) for name in TESTS if not name.startswith("sacrebleu")},
    **{f"interval {name}": (texts, asked("sentchrf", interval=name)) for name in PAIRED},
}


def same(corpus: Corpus) -> Corpus:
    (first, *_) = corpus.outputs.values()
    return replace(corpus, outputs=dict.fromkeys(corpus.outputs, first))


@pytest.fixture(scope="module")
def made() -> dict[str, tuple[Corpus, Study]]:
    corpora = {kind: corpus() for kind, (corpus, _) in KINDS.items()}
    return {kind: (corpora[kind], conducted(corpora[kind])) for kind, (_, conducted) in KINDS.items()}


def undescribed(value: Any, schema: Any, place: str) -> list[str]:
    """Return the places of keys that the schema does not name; maps from names of the data's are described as such."""
    found: list[str] = []
    for one in [schema, *schema.get("anyOf", ()), *schema.get("oneOf", ())]:
        if isinstance(value, list) and "items" in one:
            for item in value:
                found += undescribed(item, one["items"], f"{place}[]")
        if isinstance(value, dict) and "properties" in one:
            found += [f"{place}.{key}" for key in value if key not in one["properties"]]
            for key in value.keys() & one["properties"].keys():
                found += undescribed(value[key], one["properties"][key], f"{place}.{key}")
    return sorted(set(found))


@pytest.fixture(scope="module")
def published() -> dict[str, Any]:
    """The schema, which is one itself."""
    schema = study_schema()
    Draft202012Validator.check_schema(schema)
    return schema


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_valid_by_the_published_schema_and_every_key_is_described(
    made: dict[str, tuple[Corpus, Study]], published: dict[str, Any], kind: str
) -> None:
    record = json.loads(made[kind][1].text())
    assert [error.message for error in Draft202012Validator(published).iter_errors(record)] == []
    assert undescribed(record, published, "$") == []


@sampled("kind", KINDS, most=12)
def test_it_comes_back_and_is_made_again_to_the_digit(made: dict[str, tuple[Corpus, Study]], kind: str) -> None:
    corpus, study = made[kind]
    again = study_of(study.text())
    assert again.text() == study.text()
    found = reproduce(again, corpus)
    assert found.same, found.changes
    assert found.again is not None
    assert found.again.text() == study.text()


@crossed("kind, name", KINDS, ("html", "latex", "markdown", "csv", "xlsx"))
def test_it_can_be_written_up(made: dict[str, tuple[Corpus, Study]], kind: str, name: str) -> None:
    found = EXPORTERS[name](Document(made[kind][1]))
    assert b"nan" not in b"".join(data for file, data in found.files.items() if file.endswith((".tex", ".md")))
    assert "None" not in found.files.get("methods.tex", b"").decode()


@pytest.fixture(scope="module")
def study() -> Study:
    return asked("bleu", "ter", margins=(Margin("bleu", "equivalence", 2.0),))(texts(documents=12))


@pytest.mark.parametrize(
    ("table", "key", "value"),
    [
        ("comparisons", "verdict", "withheld"),
        ("comparisons", "winner", ["sys0"] * 3),
        ("comparisons", "withheld_reason", "because"),
        ("comparisons", "detectable", 0.001),
        ("comparisons", "significant", [True, False, None]),
    ],
)
def test_a_conclusion_is_worked_out_anew_whatever_the_file_says(study: Study, table: str, key: str, value: Any) -> None:
    edited = json.loads(study.text())
    for result in edited["sets"][0]["results"]:
        result[table]["derived"][key] = value
    found = study_of(json.dumps(edited))
    assert found.intact is False
    assert replace(found, intact=True).text() == study.text()
    assert found.rows() == study.rows() or str(found.rows()) == str(study.rows())


def test_an_edited_score_cannot_be_seen_in_the_file_but_is_found_with_the_data(study: Study) -> None:
    edited = json.loads(study.text())
    put(edited, "systems", 0, "score", lambda score: score + 0.01)
    found = reproduce(study_of(sealed(edited)), texts(documents=12))
    assert not found.same
    assert [change.kind for change in found.changes] == ["number"]
    assert not lacking(found.changes[0].text, "BLEU of sys0", "score")
