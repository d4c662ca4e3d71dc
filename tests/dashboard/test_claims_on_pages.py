"""The claims that must never be made, each with what keeps it off the pages, and a look for it."""

import re
from collections.abc import Callable
from functools import cache
from html import escape

import pytest
from pages import TABS, at_page, at_tab, group, made_files, texts, uploaded, with_sample

import mtsig
from mtsig.inference import TESTS

PAIR = {"first": "via-catalan", "second": "via-galician"}


@cache
def everything() -> str:
    """Return what all pages say on the sample data, every section open."""
    said = []
    for tab in TABS:
        at = at_tab(with_sample(None, **PAIR), tab)
        said.append(texts(at))
    at.number_input(key="worth").set_value(1.0).run()
    said.append(texts(at))
    null = with_sample("compare", test="ar", **PAIR)
    group(null, "evidence").set_value("If names meant nothing").run()
    said.append(texts(null))
    said += [texts(with_sample(page, metric="chrF2", **PAIR)) for page in ("results", "planning")]
    said.append(texts(with_sample("planning", sizes_tab="Scores")))
    said += [texts(with_sample(page, unit="segment")) for page in ("results", "compare")]
    said += [texts(with_sample(page, test="bootstrap-koehn")) for page in ("compare", "results")]
    said.append(texts(with_sample("paper")))
    return "\n".join(said)


def never(*patterns: str) -> Callable[[], None]:
    def look() -> None:
        for pattern in patterns:
            found = re.search(pattern, everything(), re.IGNORECASE)
            assert found is None, everything()[max(0, found.start() - 80) : found.end() + 80]

    return look


def always(*sentences: str) -> Callable[[], None]:
    def look() -> None:
        for sentence in sentences:
            assert sentence in everything(), sentence

    return look


def win_rates_have_no_p() -> None:
    at = with_sample("compare", test="bootstrap-koehn")
    said = texts(at).replace("\u00a0", " ")
    assert "(Koehn's criterion: 95%)" in said
    assert "p = " not in said
    assert "% of resamples favour direct</b>" in said


def sacrebleu_is_labelled() -> None:
    assert "half of a two-sided p" in TESTS["sacrebleu-bs"].differs
    at = at_tab(with_sample(None, unit="segment"), "Every test")
    row = texts(at).split(escape(TESTS["sacrebleu-bs"].title))[1].split("</details>")[0]
    assert "half of a two-sided p" in row


def stars_are_corrected() -> None:
    at = with_sample("results")
    assert "corrected by Holm" in texts(at)
    uncorrected = texts(with_sample("compare", correction="none"))
    assert "not corrected for 10 comparisons" in uncorrected


def documents_come_first() -> None:
    assert "over documents" in texts(with_sample("results"))


def size_stands_beside_every_verdict() -> None:
    # Nobody "beats" another without the points by which.
    (title,) = with_sample("compare", first="direct", second="via-catalan").title
    assert re.fullmatch(r"direct beats via-catalan by \d+\.\d+ BLEU", title.value.replace("\\", ""))
    never(r"significant(ly)? (larger?|different)\b", "perceptible")()


def rates_are_named() -> None:
    said = texts(with_sample("results"))
    assert "nominal family-wise error rate 0.05" in said
    screened = texts(with_sample("results", correction="bh"))
    assert "nominal false discovery rate 0.05 (for screening)" in screened
    assert "family-wise error rate" not in screened


def runs_are_warned_of() -> None:
    made = made_files(systems=4)
    names = {"sys0": "base.run1", "sys1": "base.run2", "sys2": "new.run1", "sys3": "new.run2"}
    files = {f"{new}.txt": made[f"{old}.txt"] for old, new in names.items()} | {"ref.txt": made["ref.txt"]}
    at = uploaded(files)
    for page in ("results", "compare"):
        warned = [one.proto.body for one in at_page(at, page).get("html")]
        (text,) = [one for one in warned if "Single runs are compared here" in one]
        assert "Selecting the best of several runs inflates its score" in text
        assert "Results" in text
    said = texts(at_page(at, "results"))
    assert "Single runs:" in said.split("\n")[0]
    assert "All runs together: " in said
    assert "ranks below are for single runs. Only the title combines runs" in said


def no_page_correlates() -> None:
    never(r"\bcorrelat(es|ion with|ed with)", r"agreement with humans")()
    # What would be needed to say so is not there: the pages know no function of the kind.
    assert not [name for name in mtsig.__all__ if re.search("correl|kendall|spearman", name, re.IGNORECASE)]


def identical_systems_are_not_separated() -> None:
    files = made_files()
    files["sys1.txt"] = files["sys0.txt"]
    at = uploaded(files, "compare")
    said = texts(at)
    assert "sys0 and sys1 are the same text" in said
    assert "All 40 segments are identical, so every metric gives both the same score" in said
    assert not re.search(r"\bp\s*[=<]", said)
    assert not at.get("plotly_chart")
    assert "identical, line by line" in texts(at_page(at, "results"))


CLAIMS: dict[str, tuple[str, Callable[[], None]]] = {
    "1 '95% of resamples better' is p < .05": ("a win rate gets no p and no verdict", win_rates_have_no_p),
    "2 sacreBLEU's paired-bs p is two-sided": ("its label says what it computes", sacrebleu_is_labelled),
    "3 overlapping intervals mean not significant": (
        "the explanation below the interval plot says so",
        always("Do not compare two systems by whether their bars overlap"),
    ),
    "4 not significant, so equal": (
        "every such verdict says that it is no evidence of equality",
        always("This does not show that they are equal"),
    ),
    "5 p is the probability of the null hypothesis": (
        "no sentence says so; the explanation says what p is not",
        always("p is not the probability that the systems are equal"),
    ),
    "6 significant means large or perceptible": (
        "the size of a difference always stands beside its p",
        size_stands_beside_every_verdict,
    ),
    "7 P(best) or a win rate is a posterior probability": (
        "both are called descriptions",
        always("not the probability that a system is better", "it is not the probability that the system is the best"),
    ),
    "8 an uncorrected star in a matrix": (
        "min-P by default; else 'not corrected for m comparisons'",
        stars_are_corrected,
    ),
    "9 the test is switched after seeing p": (
        "recorded: the auditor warns, and what goes out says whether a plan fixed it",
        always("picking the smallest p-value is not a valid test", "Exploratory: there was no analysis plan."),
    ),
    "10 one conclusion in twenty is wrong": (
        "every family says which rate its correction holds: any false claim, or their share",
        rates_are_named,
    ),
    "11 97 of 100 intervals were right, so the method is conservative": (
        "coverage is said of the procedure, below the picture of intervals",
        always("Over many test sets, the stated share of such bars contains the true score"),
    ),
    "12 relative widths compare metrics": (
        "the explanation on the size page says why not",
        always("Relative widths do not show which of two metrics is more sensitive"),
    ),
    "13 segments on sampled documents without a word": ("documents are the default where known", documents_come_first),
    "14 best run against best run": (
        "a warning wherever single runs are compared, and all runs together on the Results page",
        runs_are_warned_of,
    ),
    "15 p below 1/(R + 1), or identical systems separated": (
        "p is (c + 1)/(R + 1); identical systems give 1",
        identical_systems_are_not_separated,
    ),
    "16 observed power": (
        "power is asked for a difference chosen in advance",
        always("would be detected with 80% power"),
    ),
    "17 scores compared across test sets": (
        "one test set at a time; the signature is on every page",
        always("tok:13a"),
    ),
    "18 ≈ is transitive": (
        "the explanation of the matrix says it is not",
        always("even with A ≈ B and B ≈ C, A and C may differ significantly"),
    ),
    "19 a correlation of few systems without its interval": ("no correlation can be asked for", no_page_correlates),
    "20 the bootstrap needs no assumptions": (
        "the auditor names the assumptions of each test",
        never(r"no assumptions", r"assumption-free"),
    ),
}


@pytest.mark.parametrize("claim", CLAIMS)
def test_the_claim_cannot_be_read_off_the_pages(claim: str):
    prevented_by, look = CLAIMS[claim]
    assert prevented_by
    look()


def test_all_twenty_claims_are_in_the_table():
    assert [int(claim.split()[0]) for claim in CLAIMS] == list(range(1, 21))


def test_no_p_is_ever_zero():
    assert not re.search(r"p\s*=\s*0(\.0+)?(?!\.?\d)", everything())
    assert not re.search(r"(?<![\d.])\.0000(?!\d)", everything())
