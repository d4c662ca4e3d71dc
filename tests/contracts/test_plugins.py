"""One file and one line: a method from outside the package is a method like any other, with its words and works."""

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kept import parts, worded
from made import flat, made_corpus
from numpy.typing import NDArray

from mtsig import Corpus, Settings, measure, metric
from mtsig._options import option, options
from mtsig._probability import t_quantile
from mtsig._records import FloatArray, Floats
from mtsig._say import attainable_text
from mtsig.citations import Work
from mtsig.cli import main
from mtsig.errors import InvalidOption, ProgramError, ReadError, UnknownName
from mtsig.figures import Forest, Matrix
from mtsig.gate import judge
from mtsig.inference import (
    CORRECTIONS,
    INTERVALS,
    TESTS,
    Comparison,
    Correction,
    IntervalMethod,
    Outcome,
    SignificanceTest,
)
from mtsig.inference._corrections import OfPValues
from mtsig.inference._intervals import Ends
from mtsig.inference._targets import Pairs, Scores
from mtsig.inference._verdict import verdict
from mtsig.metrics import METRICS, Metric
from mtsig.report import EXPORTERS, Document, Exported, Exporter, comparison_table, exporter, verdict_text
from mtsig.report._families import method_text, ranks_text, settings_text
from mtsig.report._methods import methods_paragraph
from mtsig.report._tables import detectable_text
from mtsig.study import Request, Study, conduct, study_of
from mtsig.study._changes import reproduce
from mtsig.study._reading import read_study
from mtsig.study._request import choice_of


def work(key: str, author: str, title: str) -> Work:
    """A paper that the bibliography lacks."""
    return Work(key, "article", f"{author}, Jane", title, "2031", {"journal": "Journal of Made-up Methods"})


@dataclass(frozen=True)
class CharacterRatio(Metric):
    """Hypothesis characters per reference character."""

    spaces: bool = option(False, "Spaces", "Count spaces, too.")

    cites = (work("longworth-2031", "Longworth", "On Length"), "papineni-etal-2002-bleu")

    @property
    def name(self) -> str:
        return "character ratio"

    def count(self, corpus: Corpus) -> FloatArray:
        def length(line: str | None) -> int:
            return len((line or "") if self.spaces else (line or "").replace(" ", ""))

        [references] = corpus.references.values()
        return np.array(
            [
                [[length(line) for line in lines] for lines in corpus.outputs.values()],
                [[length(line) for line in references] for _ in corpus.outputs],
            ],
            dtype=float,
        )

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        return np.asarray(totals[0] / totals[1])


@dataclass(frozen=True)
class SignsOfUnits(SignificanceTest):
    """Turn the sign of every unit's difference: a test that exchanges, and is not called ar."""

    name = "turned-signs"
    label = "test by turned signs"
    in_words = "a test that turns signs at random"
    cites = (work("turner-2031", "Turner", "Signs"),)
    about = "How often are turned signs as far out?"
    estimand = "null: signs are as likely one way as the other"
    exchanges = True

    def __call__(self, pairs: Pairs) -> Outcome:
        p = np.full(len(pairs.first), 0.001)
        return Outcome(p, p, p, np.zeros(len(p), dtype=bool))


@dataclass(frozen=True)
class FixedWidth(IntervalMethod):
    """The estimate and two standard errors on either side, at any level."""

    name = "two-errors"
    label = "two errors"
    in_words = "the rule of two errors"
    cites = (work("rule-2031", "Rule", "Two is Enough"),)
    about = "Estimate ± two standard errors."

    def ends(self, targets: Scores | Pairs, level: float) -> Ends:
        del level
        return targets.estimate - 2 * targets.standard_error, targets.estimate + 2 * targets.standard_error


@dataclass(frozen=True)
class Doubled(OfPValues):
    """2 p, whatever the number of comparisons: it controls nothing that has a name."""

    name = "doubled"
    label = "doubling"
    in_words = "doubling them"
    cites = (work("double-2031", "Double", "Two"), "holm-1979")
    controls = "each comparison"

    def adjusted(self, p: Floats) -> Floats:
        return np.minimum(1.0, 2 * p)


@dataclass(frozen=True)
class AsTheyAre(OfPValues):
    """p as it is: a correction that corrects nothing, and is not called none."""

    name = "as-they-are"
    label = "as they are"
    controls = "each comparison"
    corrects = False

    def adjusted(self, p: Floats) -> Floats:
        return p


@dataclass(frozen=True)
class Winners(Exporter):
    """One line per comparison: who wins."""

    label = "Winners"
    about = "Who wins, a line each."

    def __call__(self, document: Document) -> Exported:
        pairs = [one for result in document.study.results for one in result.compared]
        lines = [f"{one.first} {one.second} {verdict(one).winner}" for one in pairs]
        return Exported({"winners.txt": "\n".join(lines).encode()})


@pytest.fixture
def registered() -> None:
    METRICS["charratio"] = CharacterRatio()
    TESTS["turned-signs"] = SignsOfUnits()
    INTERVALS["two-errors"] = FixedWidth()
    CORRECTIONS["doubled"] = Doubled()
    EXPORTERS["winners"] = Winners()


SETTINGS = {"test": "turned-signs", "interval": "two-errors", "correction": "doubled"}


def asked() -> Request:
    return Request((CharacterRatio(spaces=True),), Settings(**SETTINGS, n_resamples=100, unit="segment"))


@pytest.fixture
def study(registered: None) -> Study:
    del registered
    return conduct(made_corpus(40, 3, 0), asked())


def without_the_foreign() -> None:
    """Forget what was registered, as another program that reads the study never knew it."""
    for table, name in zip(
        (METRICS, TESTS, INTERVALS, CORRECTIONS, EXPORTERS), ("charratio", *SETTINGS.values(), "winners"), strict=True
    ):
        del table[name]


@dataclass(frozen=True)
class Given(CharacterRatio):
    """Counts that somebody else made."""

    counts: Any = None

    def count(self, corpus: Corpus) -> FloatArray:
        del corpus
        return self.counts  # type: ignore[no-any-return]


def with_one(value: float) -> NDArray[np.float64]:
    counts = np.ones((2, 3, 40))
    counts[1, 2, 6] = value
    return counts


WRONG_COUNTS = {
    "nothing": (None, "found values of the type object"),
    "a number": (3.0, "found shape ()"),
    "scores alone": (np.ones((3, 40)), "found shape (3, 40)"),
    "no statistic": (np.ones((0, 3, 40)), "found shape (0, 3, 40)"),
    "systems last": (np.ones((2, 40, 3)), "found shape (2, 40, 3)"),
    "a segment less": (np.ones((2, 3, 39)), "found shape (2, 3, 39)"),
    "texts": (np.full((2, 3, 40), "1"), "found values of the type <U1"),
    "complex numbers": (np.ones((2, 3, 40), dtype=complex), "found values of the type complex128"),
    "objects": (np.full((2, 3, 40), None), "found values of the type object"),
    "lists of unequal lengths": ([[1.0], [1.0, 2.0]], "found lists of unequal lengths"),
    "no number": (with_one(np.nan), "found nan for statistic 2, system sys2, segment 7"),
    "infinity": (with_one(-np.inf), "found -inf for statistic 2, system sys2, segment 7"),
    "a number that no sum can hold": (with_one(1e300), "found 1e+300 for statistic 2"),
}


@pytest.mark.parametrize("case", WRONG_COUNTS)
def test_counts_that_are_none_are_told_with_what_is_expected(case: str) -> None:
    counts, said = WRONG_COUNTS[case]
    with pytest.raises(ProgramError) as raised:
        measure(made_corpus(40, 3, 0), Given(counts=counts))
    message = str(raised.value)
    worded(message, "character ratio", said)
    assert "(2, 3, 40)" in message or "shape (k, 3, 40)" in message or "finite numbers between -1e+100" in message
    assert len(message) < 300


@pytest.mark.parametrize("kind", [bool, np.int8, np.uint64, np.float16, np.float64])
def test_counts_of_any_kind_of_number_are_counts(kind: type) -> None:
    assert measure(made_corpus(40, 3, 0), Given(counts=np.ones((2, 3, 40), dtype=kind))).scores.tolist() == [1, 1, 1]


def test_lists_are_counts_too() -> None:
    assert measure(made_corpus(40, 3, 0), Given(counts=np.ones((2, 3, 40)).tolist())).scores.tolist() == [1, 1, 1]


SAID = (
    "with character ratio (Longworth, 2031; Papineni et al., 2002).",
    "were computed by the rule of two errors (Rule, 2031) over segments; next to verdicts by swaps, "
    "they come from the swaps, at the verdict's level.",
    "We tested the differences of all pairs of systems by a test that turns signs at random (Turner, 2031) over "
    "segments.",
    "for the 3 comparisons of each metric with doubling them (Double, 2031; Holm, 1979), at α = 0.05.",
)


@pytest.mark.usefixtures("registered")
def test_the_command_line_takes_them_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = made_corpus(40, 3, 0)
    for name, lines in {**corpus.outputs, **corpus.references}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(line or "" for line in lines), encoding="utf-8")
    outputs = [f"{name}={tmp_path / name}.txt" for name in corpus.outputs]
    [reference] = corpus.references
    data = ["--ref", str(tmp_path / f"{reference}.txt"), "--sys", *outputs]
    flags = [piece for name, value in SETTINGS.items() for piece in (f"--{name}", value)]
    saved = tmp_path / "study.json"
    more = ["--metric", "charratio:spaces=true", "--resamples", "100", "--out", str(saved), "--format", "json"]
    assert main(["compare", *data, *flags, *more]) == 0
    [row, *_] = flat(json.loads(capsys.readouterr().out))["comparisons"]
    assert (row["test"], row["interval"], row["correction"]) == tuple(SETTINGS.values())
    assert row["p_adjusted"] == 2 * row["p_value"]

    assert main(["report", str(saved), "--to", "winners", "latex", "--out", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out" / "winners.txt").read_text().count("\n") == 2
    assert "the rule of two" in (tmp_path / "out" / "methods.tex").read_text(encoding="utf-8")
    assert "@article{rule-2031," in (tmp_path / "out" / "references.bib").read_text(encoding="utf-8")

    capsys.readouterr()
    assert main(["compare", "--help-all"]) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in SETTINGS.values())
    assert main(["metrics"]) == 0
    assert "charratio" in capsys.readouterr().out


def test_a_study_tells_of_them_in_their_own_words(study: Study) -> None:
    paragraph = methods_paragraph(study)
    for piece in SAID:
        assert piece in paragraph.text
    for key in ("longworth-2031", "rule-2031", "turner-2031", "double-2031", "holm-1979"):
        assert paragraph.bibtex.count(f"{{{key},") == 1
        assert key in paragraph.latex
    assert "title = {Two is Enough}," in paragraph.bibtex


def test_a_study_comes_back_from_its_file(study: Study) -> None:
    again = study_of(study.text())
    assert again.text() == study.text()
    assert again.asked == asked()
    assert methods_paragraph(again).text == methods_paragraph(study).text
    assert isinstance(again.results[0].compared.test, SignsOfUnits)


def test_a_study_is_read_where_they_are_not_known(study: Study, tmp_path: Path) -> None:
    told = [verdict_text(one) for one in study.results[0].compared]
    (tmp_path / "study.json").write_text(study.text(), encoding="utf-8")
    without_the_foreign()
    again = read_study(tmp_path / "study.json")
    assert again.text() == study.text()
    family = again.results[0].compared
    assert (family.test.name, family.test.estimand) == ("turned-signs", SignsOfUnits.estimand)
    assert [verdict_text(one) for one in family] == told
    paragraph = methods_paragraph(again)
    for piece in (
        "by the method called two-errors over segments.",
        "by turned-signs over segments.",
        "with the method called doubled, at α",
    ):
        assert piece in paragraph.text
    assert "2031" not in paragraph.bibtex
    assert EXPORTERS["html"](Document(again)).files
    with pytest.raises(InvalidOption, match=r"Test \(test\) takes one of auto, .*; found 'turned-signs'"):
        _ = again.asked


def test_an_edited_study_of_an_unknown_test_still_has_to_hold_together(study: Study) -> None:
    record = study.plain()
    without_the_foreign()
    record["sets"][0]["results"][0]["comparisons"]["header"]["alternative"] = "greater"
    with pytest.raises(ReadError, match=r"comparisons\.header\.alternative"):
        study_of(json.dumps(record))


def test_a_study_of_foreign_methods_is_not_made_again_without_them(study: Study) -> None:
    assert reproduce(study, made_corpus(40, 3, 0)).same
    without_the_foreign()
    with pytest.raises(InvalidOption, match=r"a method this version does not know.*cannot be re-run.*turned-"):
        reproduce(study_of(study.text()), made_corpus(40, 3, 0))


def test_names_are_found_as_they_were_registered_and_in_lower_case() -> None:
    METRICS["Char Ratio"], EXPORTERS["Winners"] = CharacterRatio(), Winners()
    assert metric("Char Ratio") == metric(" Char Ratio :") == CharacterRatio()
    assert metric("Char Ratio:spaces=true") == CharacterRatio(spaces=True)
    assert choice_of(CharacterRatio(spaces=True)) == "Char Ratio:spaces=true"
    assert metric("BLEU") == metric("bleu")
    assert (exporter("Winners"), exporter("HTML")) == (Winners(), EXPORTERS["html"])
    with pytest.raises(UnknownName, match="Did you mean 'Char Ratio'"):
        metric("char ratio")


def test_the_documented_metric_and_interval_run_as_they_are_written() -> None:
    text = (Path(__file__).parents[2] / "docs" / "extend.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    for block in blocks[:2]:
        exec(block, {"__name__": __name__})
    corpus = Corpus.of({"A": ["a bc", "d"], "B": ["abcd", "ef"]}, {"ref": ["ab", "cd"]})
    assert measure(corpus, "charprec").scores.tolist() == pytest.approx([75, 100 / 3])
    assert measure(corpus, "charprec:spaces=true").scores.tolist() == pytest.approx([60, 100 / 3])
    [pair] = conduct(
        made_corpus(40, 2, 0), Request((metric("charprec"),), Settings(interval="normal-errors", n_resamples=100))
    ).comparisons
    assert pair.ci_low < pair.difference < pair.ci_high


def test_settings_list_what_is_registered() -> None:
    def choices() -> dict[str, tuple[str, ...]]:
        return {one.name: one.choices or () for one in options(Settings)}

    before = choices()
    with pytest.raises(InvalidOption):
        Settings(test="turned-signs")
    TESTS["turned-signs"], INTERVALS["two-errors"], CORRECTIONS["doubled"] = SignsOfUnits(), FixedWidth(), Doubled()
    assert Settings(**SETTINGS).test == "turned-signs"
    for name, added in SETTINGS.items():
        assert choices()[name] == (*before[name], added)


def hardly_different() -> Study:
    """A study of two systems that differ in three of forty segments."""
    corpus = made_corpus(40, 1, 0)
    [(name, lines)] = corpus.outputs.items()
    worse = [line if i > 2 else f"{line} and much more" for i, line in enumerate(lines)]
    pair = Corpus.of({name: lines, "worse": worse}, corpus.references)
    return conduct(pair, Request((METRICS["bleu"],), asked().settings))


def found(one: Comparison) -> Comparison:
    """Return the comparison with a small p."""
    return replace(one, p_value=0.01, p_adjusted=0.01, p_adjusted_mc_low=0.01, p_adjusted_mc_high=0.01)


@pytest.mark.usefixtures("registered")
def test_an_unknown_test_gets_a_caution_where_any_but_an_exchange_needs_more() -> None:
    study = hardly_different()
    assert "too few" not in verdict_text(study.comparisons[0])
    without_the_foreign()
    again = study_of(study.text())
    assert again.text() == study.text()
    of_three = found(again.results[0].compared[0])
    worded(verdict_text(of_three), "3 of 40")


@pytest.mark.usefixtures("registered")
def test_properties_decide_and_no_name_does() -> None:
    # A test that exchanges needs no spread: three units that differ, of forty, are enough for it, and have a floor.
    [one] = hardly_different().results[0].compared
    assert one.n_differing == 3
    worded(attainable_text(one) or "", "3 of 40", "0.25")
    assert "too few" not in verdict_text(one)

    class Otherwise(SignsOfUnits):
        exchanges = False

    TESTS["turned-signs"] = Otherwise()
    assert attainable_text(one) is None
    worded(verdict(found(one)).caution)


def test_a_correction_that_corrects_nothing_is_told_as_none_is() -> None:
    CORRECTIONS["as-they-are"] = AsTheyAre()
    corpus = made_corpus(40, 3, 0)

    def told(correction: str) -> str:
        study = conduct(corpus, Request((METRICS["bleu"],), Settings(correction=correction, n_resamples=100)))
        [result] = study.results
        family = result.compared
        assert result.places is not None
        pictures = [Matrix.of(family).caption, Forest.of(family, family.order[0]).caption]
        said = [verdict_text(family[0]), method_text(family), ranks_text(result.places), *pictures]
        said += [detectable_text(family), settings_text(study.asked.settings, "segment", [3])]
        return "\n".join([*said, methods_paragraph(study).text])

    assert told("as-they-are").replace("corr:as-they-are", "corr:none") == told("none")
    assert "uncorrected" in told("as-they-are")


def test_intervals_from_outside_that_hold_together_do_so_over_metrics_too() -> None:
    class Together(FixedWidth):
        name = "together"
        holds_together = True

    INTERVALS["together"] = Together()
    settings, corpus = Settings(interval="together", n_resamples=100, unit="segment"), made_corpus(40, 3, 0)
    many = [measure(corpus, METRICS[name]) for name in ("bleu", "chrf")]
    (alone,) = settings.families(many[:1])
    worded(parts(Forest.of(alone, alone.order[0]).caption, "95%"))
    for family in settings.families(many, joined=True):
        half = t_quantile(1 - 0.05 / 2 / 6, family.df) * family.standard_error
        assert (family.ci_high - family.ci_low) / 2 == pytest.approx(half)


@pytest.mark.usefixtures("registered")
def test_a_gate_takes_any_test_that_exchanges() -> None:
    corpus = made_corpus(40, 2, 0)
    checked = judge(corpus, *corpus.systems, settings=Settings(test="turned-signs", n_resamples=2000, unit="segment"))
    assert checked.checks[0].test == "turned-signs"
    with pytest.raises(InvalidOption, match="A gate uses the test jackknife-t or ar or turned-signs; found ij-t"):
        judge(corpus, *corpus.systems, settings=Settings(test="ij-t"))


@pytest.mark.usefixtures("registered")
def test_a_label_that_speaks_of_segments_need_not_name_the_units() -> None:
    class Pooling(SignsOfUnits):
        label = "test that pools segments, as printed"

    TESTS["turned-signs"] = Pooling()
    settings = Settings(test="turned-signs", n_resamples=100, unit="document")
    family = settings.family(measure(made_corpus(40, 2, 20), METRICS["bleu"]))
    worded(method_text(family))
    worded(settings_text(settings, "document", [1]))


def test_a_metric_with_an_option_called_n_is_no_rating() -> None:
    class OfN(CharacterRatio):
        def signature(self, corpus: Corpus) -> str:
            return f"{super().signature(corpus)}|n:4"

    family = Settings(n_resamples=100).family(measure(made_corpus(40, 3, 0), OfN()))
    assert "segments" not in comparison_table(family).names


def test_without_words_of_its_own_a_method_is_said_by_its_label() -> None:
    class Plain(FixedWidth):
        in_words = ""
        cites = ()

    INTERVALS["two-errors"] = Plain()
    study = conduct(
        made_corpus(40, 2, 0), Request((METRICS["bleu"],), Settings(interval="two-errors", n_resamples=100))
    )
    assert "called two errors" in methods_paragraph(study).text


def test_the_base_classes_ask_for_no_more_than_readme_says() -> None:
    for kind in (Metric, SignificanceTest, IntervalMethod, Correction):
        assert not {"cites", "in_words"} & getattr(kind, "__abstractmethods__", set())
