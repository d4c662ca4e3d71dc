"""The methods paragraph: what was tested, on what unit, how corrected, with which signatures; and what to cite."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from kept import Kept, lacking
from made import flat, made_corpus
from papers import made_study, planned_study

from mtsig import Corpus, Settings, metric
from mtsig.citations import REFERENCES, Work, bibliography, works
from mtsig.corpus import Rating
from mtsig.errors import InvalidOption, UnknownName
from mtsig.inference import CORRECTIONS, INTERVALS, TESTS
from mtsig.metrics import METRICS, Bleu, Rated
from mtsig.report._methods import methods_paragraph, signature_line
from mtsig.study import Request, Study, conduct, study_of


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return made_corpus(n=60, systems=3, documents=12)


def paragraph(corpus: Corpus, pairs: object = "all", joined: bool = False, **settings: object) -> str:
    request = Request((Bleu(), metric("chrf")), Settings(**{"n_resamples": 100, **settings}), pairs, joined)  # type: ignore[arg-type]
    return methods_paragraph(conduct(corpus, request)).text


def test_a_paragraph_says_what_was_done(corpus: Corpus) -> None:
    text = paragraph(corpus, n_resamples=100, seed=7)
    for piece in (
        "We evaluated 3 systems on 60 segments in 12 documents against 1 reference with BLEU (Papineni et al., 2002) "
        "and chrF2 (Popović, 2015) as sacreBLEU computes them (Post, 2018).",
        "We tested the differences of all pairs of systems by a t test with the standard error of the delete-one "
        "jackknife and degrees of freedom for units of unequal size (Efron, 1982; Satterthwaite, 1946; Bell and "
        "McCaffrey, 2002) over documents. Tests were two-sided.",
        "We corrected p-values for the 3 comparisons of each metric with Holm's method (Holm, 1979), at a nominal "
        "family-wise error rate of α = 0.05.",
        "95% confidence intervals were computed by the delete-one jackknife, as estimate ± t × standard error (Efron, "
        "1982; Satterthwaite, 1946; Bell and McCaffrey, 2002) over documents.",
        "“not significant” does not imply equality",
        "There was no analysis plan: the comparisons are exploratory.",
    ):  # fmt: skip
        assert piece in text, text


def test_translations_by_people_are_not_counted_as_systems(corpus: Corpus) -> None:
    of_people = Corpus.of(
        {"refB": corpus.outputs["sys0"], **{name: corpus.outputs[name] for name in ("sys1", "sys2")}},
        {name: list(lines) for name, lines in corpus.references.items()},
    )
    assert not lacking(paragraph(of_people), "2 systems", "1 human translation", "60 segments")


@pytest.mark.parametrize(
    ("settings", "pairs", "piece"),
    [
        ({}, "sys2", "the differences between sys2 and every other system by"),
        ({}, (("sys0", "sys2"),), "the difference of 1 chosen pair of systems by"),
        ({"correction": "none"}, "all", "p-values were not corrected for the 3 comparisons (α = 0.05)."),
        ({"correction": "bh"}, "all", "at a nominal false discovery rate of α = 0.05"),
        ({"test": "bootstrap-koehn"}, "all", "a bootstrap win rate of at least 95% (Koehn's criterion"),
        ({"unit": "segment"}, "all", "over segments. Tests were two-sided, with 100 random swaps, seed 12345."),
        ({"level": 0.99}, "all", "99% confidence intervals"),
        ({"interval": "percentile"}, "all", "the percentile bootstrap (Koehn, 2004; Zhang and Vogel, 2004)"),
    ],
)  # fmt: skip
def test_a_paragraph_follows_the_settings(
    corpus: Corpus, settings: dict[str, object], pairs: object, piece: str
) -> None:
    assert piece in paragraph(corpus, pairs, **settings)


def test_a_win_rate_is_not_written_up_as_a_test(corpus: Corpus, kept: Kept) -> None:
    text = paragraph(corpus, test="bootstrap-koehn")
    assert not lacking(text, "not a p-value", "not corrected", "10 to 15")
    assert "corrected for" not in text
    kept("say", text)


def test_metrics_judged_together_are_said_to_be(corpus: Corpus) -> None:
    assert not lacking(paragraph(corpus, joined=True), "6 comparisons", "metrics together")


def test_metrics_that_were_tested_otherwise_get_their_own_sentence() -> None:
    # With so few segments all swaps are enumerated; a doubled blank is a difference to chrF with blanks only.
    lines = made_corpus(n=12, systems=1, documents=0)
    changed = [line.replace(" ", "  ", 1) if i == 3 else line for i, line in enumerate(lines.lines("sys0"))]
    corpus = Corpus.of({"a": lines.lines("sys0"), "b": changed}, lines.references)
    study = conduct(corpus, Request((Bleu(), metric("chrf:whitespace=true")), Settings(n_resamples=100)))
    kinds = [one.compared.complete for one in study.results]
    text = methods_paragraph(study).text
    assert kinds == [True, True]
    assert text.count("the two systems") == 1
    assert "all swaps enumerated" in text
    record = study.plain()
    record["sets"][0]["results"][1]["comparisons"]["header"]["complete"] = False
    edited = Study.of_plain(record)
    assert not lacking(methods_paragraph(edited).text, "In BLEU, we", "In chrF2, we")


def test_a_planned_study_says_so_with_its_digest(kept: Kept) -> None:
    study = planned_study()
    text = methods_paragraph(study).text
    assert study.plan is not None
    assert not lacking(
        text, f"(SHA-256 {study.plan.digest[7:23]}…).", "one-sided (the first", "within 2 BLEU", "(a margin fixed"
    )
    kept("say", text)


def test_a_margin_without_a_plan_was_chosen_without_one() -> None:
    assert "(a margin chosen" in methods_paragraph(made_study()).text


# --- the signature -----------------------------------------------------------------------------------------------


def test_the_signature_extends_sacrebleus(corpus: Corpus) -> None:
    study = conduct(corpus, Request((Bleu(),), Settings(n_resamples=100, seed=3, correction="holm")))
    line = signature_line(study, study.results[0])
    assert line.startswith(study.results[0].scored.signature + "|")
    parts = dict(part.split(":", 1) for part in line.split("|"))
    expected = {
        "test": "jackknife-t", "alt": "two-sided", "unit": "document", "n": "12", "draws": "100",
        "seed": "3", "corr": "holm",
        "of": "3", "int": "jackknife", "level": "0.95", "rng": "1",
    }  # fmt: skip
    assert {key: parts[key] for key in expected} == expected
    assert "plan" not in parts
    assert line in methods_paragraph(study).text


def test_the_signature_of_a_planned_study_carries_the_plan() -> None:
    study = planned_study()
    assert study.plan is not None
    assert signature_line(study, study.results[0]).endswith(f"|plan:{study.plan.digest[7:19]}")


# --- citations ---------------------------------------------------------------------------------------------------


DESCRIBE = {"ratio", "none"}
"""What no work stands behind: a quotient of lengths, and doing nothing."""


@pytest.mark.parametrize(
    "table", [TESTS, INTERVALS, CORRECTIONS, METRICS], ids=["tests", "intervals", "corrections", "metrics"]
)
def test_every_method_cites_works_of_the_bibliography(table: Mapping[str, Any]) -> None:
    for name, method in table.items():
        assert [work.key for work in works(method.cites)] == list(method.cites)
        assert bool(method.cites) == (name not in DESCRIBE), name


@pytest.mark.parametrize("table", [TESTS, INTERVALS, CORRECTIONS], ids=["tests", "intervals", "corrections"])
def test_every_method_has_words_of_its_own(table: Mapping[str, Any]) -> None:
    words = [method.in_words for name, method in table.items() if name not in DESCRIBE]
    assert all(words)
    assert len(set(words)) == len(words)


@pytest.mark.parametrize(
    ("choice", "keys"),
    [
        ("chrf", ("popovic-2015-chrf",)), ("chrf++", ("popovic-2017-chrf",)),
        ("chrf:word_order=2,beta=3", ("popovic-2017-chrf",)), ("sentchrf", ("popovic-2015-chrf",)),
        ("meteor", ("banerjee-lavie-2005-meteor",)), ("meteor-1.5", ("denkowski-lavie-2014-meteor",)),
        ("sentbleu", ("papineni-etal-2002-bleu",)), ("rating:mqm", ()),
    ],
)  # fmt: skip
def test_a_metric_cites_what_its_options_make_of_it(choice: str, keys: tuple[str, ...]) -> None:
    assert metric(choice).cites == keys


def test_a_work_that_nobody_knows_is_refused_by_its_key() -> None:
    with pytest.raises(UnknownName, match=r"no work in the bibliography called 'holm-1978'\. Did you mean 'holm-1979'"):
        works(("holm-1978",))


def test_two_works_of_one_key_are_refused() -> None:
    other = Work("holm-1979", "article", "Holm, Anna", "Another", "1979", {})
    assert bibliography([other, other]).count("@article{holm-1979,") == 1
    with pytest.raises(InvalidOption, match="Two works are cited as 'holm-1979'"):
        bibliography([other, REFERENCES["holm-1979"]])


def test_the_bibliography_holds_what_is_cited_and_nothing_else() -> None:
    found = methods_paragraph(made_study())
    entries = re.findall(r"@\w+\{([^,]+),", found.bibtex)
    cited = [key for keys in re.findall(r"\\citep\{([^}]*)\}", found.latex) for key in keys.split(",")]
    assert entries == list(dict.fromkeys(cited))
    assert "mtsig" in entries


def test_bibtex_is_balanced_and_has_what_bibtex_wants() -> None:
    text = bibliography(REFERENCES.values())
    assert text.count("{") == text.count("}")
    for one in REFERENCES.values():
        assert one.authors
        assert one.title
        assert one.year or one.key == "mtsig"
        assert re.fullmatch(r"[\w .,{}'-]+, \d{4}|mtsig", one.cited), one.cited


def test_accents_are_letters_in_plain_text() -> None:
    assert REFERENCES["popovic-2015-chrf"].cited == "Popović, 2015"
    assert REFERENCES["sidak-1967"].cited == "Šidák, 1967"
    assert REFERENCES["student-1908"].cited == "Student, 1908"


# --- in short ----------------------------------------------------------------------------------------------------


def test_the_short_paragraph_has_six_sentences_and_the_words_of_the_long_one(corpus: Corpus) -> None:
    study = conduct(
        corpus, Request((Bleu(), metric("chrf")), Settings(n_resamples=100, test="ar", correction="holm", seed=7))
    )
    short, long = methods_paragraph(study, short=True), methods_paragraph(study)
    said, signatures = short.text.split(" Signatures: ")
    assert len(re.split(r"(?<=\.) (?=[A-Z9])", re.sub(r"\([^()]*\)", "", said))) == 6
    for piece in (
        "We evaluated 3 systems on 60 segments in 12 documents against 1 reference with BLEU (Papineni et al., 2002)",
        ") over documents. Tests were two-sided, with",
        "We corrected p-values for the 3 comparisons of each metric with Holm's method (Holm, 1979), at a nominal",
        "95% confidence intervals were computed by",
    ):
        assert piece in said
    assert len(said) < 0.7 * len(long.text)
    assert signature_line(study, study.results[1]) in signatures
    assert set(re.findall(r"@\w+\{([\w-]+)", short.bibtex)) <= set(re.findall(r"@\w+\{([\w-]+)", long.bibtex))


def test_in_latex_the_signatures_of_the_short_paragraph_stand_at_the_foot() -> None:
    text = methods_paragraph(made_study(), short=True).latex
    before, after = text.split("\\footnote{")
    assert "textbar" not in before
    assert after.startswith("Signatures: BLEU: nrefs:1\\textbar{}\\hspace{0pt plus 1em}")
    assert after.endswith(".}")


def test_the_short_paragraph_of_a_win_rate_claims_no_level(corpus: Corpus) -> None:
    study = conduct(corpus, Request((Bleu(),), Settings(n_resamples=100, test="bootstrap-koehn")))
    text = methods_paragraph(study, short=True).text
    assert "share of resamples" in text
    assert "corrected" not in text.split("Signature")[0]


def studied(corpus: Corpus | None = None, pairs: object = "all", **settings: object) -> Study:
    corpus = corpus or made_corpus(n=60, systems=3, documents=0)
    request = Request((metric("bleu"),), Settings(**{"n_resamples": 400} | settings), pairs)  # type: ignore[arg-type]
    return conduct(corpus, request)


@pytest.mark.parametrize("documents", [0, 12])
@pytest.mark.parametrize("test", ["sacrebleu-ar", "sacrebleu-bs", "bootstrap-rm2005"])
def test_a_kept_study_of_a_test_that_errs_too_often_says_what_it_said(test: str, documents: int) -> None:
    made = studied(made_corpus(n=60, systems=3, documents=documents), test=test)
    study = study_of(made.text())
    told = [(row["verdict"], row["winner"], row["caution"]) for row in flat(made.plain())["comparisons"]]
    assert [(row["verdict"], row["winner"], row["caution"]) for row in flat(study.plain())["comparisons"]] == told
    assert "withheld" not in {word for word, *_ in told}
    said = methods_paragraph(study).text
    assert not lacking(said, "does not control", f": {TESTS[test].anticonservative_reason}.", "no error rate")


def test_the_methods_paragraph_says_what_was_corrected_and_what_was_drawn(kept: Kept) -> None:
    alone = methods_paragraph(studied(pairs=[("sys0", "sys1")])).text
    assert "one comparison" in alone
    assert "corrected" not in alone
    several = methods_paragraph(studied(correction="holm", test="ij-t")).text
    assert not lacking(several, "3 comparisons", "an adjusted p", "over segments.", "two-sided.")
    assert not lacking(methods_paragraph(studied(unit="segment")).text, "400 random swaps", "seed 12345")
    assert "|draws:400|seed:12345|" in methods_paragraph(studied()).text
    exact = methods_paragraph(studied(made_corpus(n=60, systems=2, documents=20), test="ar")).text
    assert "exact p-values" in exact
    kept("say", alone, several, exact)


def test_sacrebleu_is_credited_with_its_own_metrics_and_each_metric_with_what_it_stands_on(kept: Kept) -> None:
    corpus = made_corpus(n=60, systems=3, documents=0)
    some = np.full((3, 60), np.nan)
    some[:2, :40] = np.random.default_rng(1).integers(1, 6, (2, 40))
    corpus = replace(corpus, ratings={"mqm": Rating(some, True, "declared")})
    request = Request(
        # WER cuts words as sacreBLEU does, and its signature says so; sacreBLEU does not compute it.
        (Rated("mqm").on(corpus), metric("bleu"), metric("nist"), metric("wer")),
        Settings(n_resamples=100),
        [("sys0", "sys1")],
    )
    said = methods_paragraph(conduct(corpus, request)).text
    assert said.index("on 40 segments") < said.index("with mqm.") < said.index("on 60 segments")
    assert "(as sacreBLEU computes" in said
    assert said.count("sacreBLEU") == 1
    kept("say", said)


def test_the_methods_paragraph_calls_classical_comparisons_what_they_are() -> None:
    request = Request((metric("sentbleu"),), Settings(correction="tukey", unit="segment", n_resamples=200))
    said = methods_paragraph(conduct(made_corpus(n=60, systems=3, documents=0), request)).text
    assert not lacking(said, "randomized blocks", "same variance")
    assert "corrected for" not in said
