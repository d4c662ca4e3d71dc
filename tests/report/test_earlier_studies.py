"""Studies of mtsig/1 are still read: the same numbers, the same sentences, and made again to the digit."""

import json
from pathlib import Path
from typing import Any

import pytest
from made import made_corpus, sealed

from mtsig import Settings, metric
from mtsig.errors import ReadError
from mtsig.report import ci_name, comparison_table, score_table, verdict_text
from mtsig.report.methods import methods_paragraph
from mtsig.report.renderers import markdown_table
from mtsig.report.tables import margin_table, ranks_table
from mtsig.study import Margin, Request, Study, conduct, read_study, reproduce, study_changes
from mtsig.study.earlier import RENAMED
from mtsig.study.reading import study_of

FILE = Path(__file__).with_name("study-of-mtsig-1.json")
"""Written by the last version of mtsig/1: three made systems in twelve documents, two metrics and a margin."""


_WRITTEN = ("first", "second", "difference", "pair", "p", "p corrected", "resamples won", "verdict")
"""Columns of comparisons that it holds as today's studies do."""


_MARGINS = ("first", "second", "claim", "difference", "p", "p corrected", "shown")
"""The same of margins."""


@pytest.fixture(scope="module")
def written() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def now() -> Study:
    metrics = (metric("bleu"), metric("chrf"))
    margins = (Margin("bleu", "equivalence", 3.0),)
    return conduct(made_corpus(), Request(metrics, Settings(draws=100), margins=margins))


def test_an_earlier_study_says_what_it_said_and_is_made_again(written: dict[str, Any], now: Study) -> None:
    assert written["schema"] == "mtsig/1"
    old = read_study(FILE)
    assert old.schema == "mtsig/2"
    # What an earlier program did not know is new; nothing that it said is another.
    assert {change.kind for change in study_changes(old, now)} <= {"number", "rounding", "unsaid", "program"}
    assert not any(change.kind == "verdict" for change in reproduce(old, made_corpus()).changes)
    for one, other in zip(old.results, now.results, strict=True):
        for table in (score_table, comparison_table):
            found = "scored" if table is score_table else "compared"
            view = {} if table is score_table else {"view": _WRITTEN}
            shown = [table(getattr(result, found), **view).rows for result in (one, other)]
            assert shown[0] == shown[1]
        # What it does not hold is not made up: its own intervals are those of each pair alone.
        assert ci_name(one.compared) == "95% CI"
        assert "adjusted CI" not in verdict_text(one.compared[0])
        assert one.places is not None
        assert other.places is not None
        assert markdown_table(ranks_table(one.places)) == markdown_table(ranks_table(other.places))
    before, after = (markdown_table(margin_table(study.results[0].margins, view=_MARGINS)) for study in (old, now))
    assert before == after
    assert methods_paragraph(old).text == methods_paragraph(now).text


def test_every_number_comes_over_under_its_name(written: dict[str, Any]) -> None:
    new = read_study(FILE).plain()
    for table in ("systems", "comparisons", "ranks", "margins"):
        names = RENAMED.get(table, {})
        for row, other in zip(written[table], new[table], strict=True):
            kept = {names.get(key, key): value for key, value in row.items() if not key.endswith("_by_segment")}
            # What such data could show is told by today's rule.
            kept = {key: value for key, value in kept.items() if not key.startswith("detectable")}
            assert {key: other[key] for key in kept} == kept


def test_an_edited_one_is_refused_as_before(written: dict[str, Any]) -> None:
    edited = json.loads(json.dumps(written))
    edited["comparisons"][0]["verdict"] = "better" if edited["comparisons"][0]["verdict"] != "better" else "undecided"
    with pytest.raises(ReadError, match=r"comparisons\[0\]\.verdict: the file has"):
        study_of(json.dumps(edited), "old.json")
    del edited["margins"]
    with pytest.raises(ReadError, match="no valid study of mtsig/1: margins is missing"):
        study_of(json.dumps(edited), "old.json")


def test_the_documentation_names_what_was_renamed() -> None:
    text = (Path(__file__).parents[2] / "docs" / "study-format.md").read_text(encoding="utf-8")
    for table, names in RENAMED.items():
        for old, new in names.items():
            assert f"| `{table}` | `{old}` | `{new}` |" in text


def test_a_study_whose_test_was_described_in_other_words_is_read() -> None:
    study = conduct(made_corpus(), Request((metric("chrf"),), Settings(test="ar", draws=100)))
    was = "null: within each unit the two outputs are exchangeable"
    text = study.text()
    now = study.comparisons[0].estimand
    assert was != now
    assert f'"estimand": "{now}"' in text
    old = study_of(sealed(json.loads(text.replace(now, was))))
    assert not any(change.kind == "verdict" for change in reproduce(old, made_corpus()).changes)
