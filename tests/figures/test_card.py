"""Cards: 1200 × 630 pixels, the same bytes, words that are read, and sides that a grey copy tells apart."""

import io
import re
from datetime import date
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from contrasts import contrast, luminance
from kept import worded
from made import made_corpus
from PIL import Image
from sampled import slow

import mtsig
from mtsig import Corpus
from mtsig.citations import VERSION
from mtsig.cli import main
from mtsig.errors import NotApplicable, UnknownName
from mtsig.figures import _paper, on_paper
from mtsig.figures._card import MOST_ROWS, LeagueCard, PairCard
from mtsig.figures._frame import INKED, LINES, QUIET, Card
from mtsig.figures._look import FIRST, FIRST_TEXT, SECOND, SECOND_TEXT, SLATE, verdict_colour
from mtsig.figures._paper import Sheet
from mtsig.report import card
from mtsig.study import Study

DAY = date(2026, 11, 25)


@cache
def sample() -> tuple[Corpus, Study]:
    corpus = mtsig.read_sample()
    return corpus, mtsig.compare(corpus, "chrf")


@cache
def league(systems: int = 5, prefix: str = "system") -> Card:
    rng = np.random.default_rng(systems)
    base = rng.normal(70, 6, 120)
    scores = {f"{prefix}{i:02d}": (base + rng.normal(-i, 3, 120)).tolist() for i in range(systems)}
    return card(mtsig.compare(scores, higher_is_better=True, n_resamples=200), day=DAY)


@cache
def pair(*, drawn: bool = True) -> Card:
    corpus, study = sample()
    return card(study, ("direct", "direct-us"), corpus=corpus if drawn else None, day=DAY)


@cache
def of_sample() -> Card:
    return card(sample()[1], day=DAY)


EVERY = {
    "league": of_sample, "pair": pair, "pair without draws": lambda: pair(drawn=False), "many": lambda: league(30),
    "most": lambda: league(MOST_ROWS), "long names": lambda: league(3, "x" * 5000),
}  # fmt: skip


@cache
def sheet(kind: str, form: str) -> Sheet:
    """Return a card as a file, drawn once for all tests that look at it."""
    return on_paper(EVERY[kind](), form)


@pytest.mark.parametrize("kind", ["pair", *slow(*EVERY)])
def test_a_card_is_1200_by_630_and_small_and_the_same_every_time(kind: str) -> None:
    png, svg = (sheet(kind, form).data for form in ("png", "svg"))
    assert Image.open(io.BytesIO(png)).size == (1200, 630)
    assert b'width="1200" height="630" viewBox="0 0 864 453.6"' in svg
    assert max(len(png), len(svg)) <= 200_000
    if kind == "pair":  # the command draws the bitmaps again
        assert on_paper(EVERY[kind](), "svg").data == svg


@pytest.mark.parametrize("kind", ["league", "pair"])
def test_digest_version_and_day_can_be_read(kind: str) -> None:
    corpus, _ = sample()
    svg = sheet(kind, "svg").data.decode()
    # Letters are shapes, which look the same without their font; each text stands before its own as a comment.
    assert "</text>" not in svg
    texts = " ".join(re.findall(r"<!-- (.*?) -->", svg))
    worded(texts, f"{corpus.digest.removeprefix('sha256:')[:8]}", "25 Nov", "2026")
    assert f"mtsig {VERSION}" in " ".join(texts.split()) or {"mtsig", VERSION} <= set(texts.split())
    about = Image.open(io.BytesIO(sheet(kind, "png").data)).info
    assert corpus.digest.removeprefix("sha256:")[:8] in about["Description"]
    assert about["Title"] == EVERY[kind]().said.title


def test_the_footer_says_test_units_correction_metric_and_references() -> None:
    method = of_sample().said.method
    worded(method, "20 documents", "Holm", "10 comparisons", "1 reference")
    worded(card(mtsig.compare(sample()[0], "bleu")).said.method, "1 reference")
    worded(pair().said.method, "10,000 resamples", "20 documents", "Holm", "10 comparisons")


def test_the_day_is_what_is_asked_for_or_that_of_reproducible_builds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    worded(card(sample()[1]).said.method, "2 Jan", "1970")
    worded(of_sample().said.method, "25 Nov", "2026")


def test_titles_say_the_finding() -> None:
    worded(of_sample().said.title, "5 systems")
    worded(pair().said.title, "0.53")
    close = card(sample()[1], ("via-catalan", "via-galician"), day=DAY).said
    worded(close.title)
    worded(close.lede)
    assert re.search(r"p = \.\d+ uncorrected, p = \.\d+ corrected for 10 comparisons", close.lede)
    said = pair().said
    assert said.sentence == f"{said.title}. {said.lede} {said.aside}. {said.method}."


@pytest.mark.slow
def test_more_rows_than_have_room_are_the_first_and_the_last() -> None:
    many, most = league(30), league(MOST_ROWS)
    assert isinstance(many, LeagueCard)
    assert isinstance(most, LeagueCard)
    assert [many.league.rows[at].number for at in many.rows] == [*map(str, range(1, 13)), "30"]
    assert many.left == 17
    assert "… 17 more" in sheet("many", "svg").data.decode()
    assert (len(most.rows), most.left) == (MOST_ROWS, 0)


def test_what_is_not_ranked_stands_below_with_its_reason() -> None:
    corpus = made_corpus(n=120, systems=3, documents=0)
    outputs = {**corpus.outputs, "refB": corpus.lines("sys1")[::-1], "copy": next(iter(corpus.references.values()))}
    drawn = card(mtsig.compare(Corpus.of(outputs, corpus.references), "chrf"), day=DAY)
    assert isinstance(drawn, LeagueCard)
    assert {drawn.league.rows[at].name for at in drawn.rows[-2:]} == {"refB", "copy"}
    said = " ".join(re.findall("<!-- (.*?) -->", on_paper(drawn, "svg").data.decode()))
    worded(said)
    assert "human translation" in said
    assert re.search(r"\b(copy|refB)\b", drawn.said.title) is None


@pytest.mark.slow
def test_names_are_short_in_picture_and_words() -> None:
    names = {name: f"newstest2017.{name}.0.en-de" for name in ("online-A", "online-B", "uedin")}
    rng = np.random.default_rng(1)
    scores = {whole: rng.normal(70 + 9 * number, 5, 90).tolist() for number, whole in enumerate(names.values())}
    study = mtsig.compare(scores, higher_is_better=True)
    for drawn in (card(study), card(study, list(scores)[:2])):
        said = f"{drawn.said.sentence} {' '.join(drawn.texts)}"
        assert "online-A" in said
        assert "newstest" not in said
        assert "newstest" not in on_paper(drawn, "svg").data.decode()


def test_the_same_pair_from_its_other_side_is_its_mirror() -> None:
    corpus, study = sample()
    one, other = pair(), card(study, ("direct-us", "direct"), corpus=corpus, day=DAY)
    assert isinstance(one, PairCard)
    assert isinstance(other, PairCard)
    assert one.said.title == other.said.title
    assert one.histogram.favouring == (other.histogram.favouring[1], other.histogram.favouring[0], 0)


def test_texts_and_marks_stand_out() -> None:
    for colour in (INKED, QUIET, FIRST_TEXT[0], SECOND_TEXT[0]):
        assert contrast(colour, "#ffffff") >= 4.5
    for colour in (FIRST, SECOND, SLATE, "#858c99"):
        assert contrast(colour, "#ffffff") >= 3
    assert contrast(LINES, "#ffffff") < 1.5


def grey(kind: str) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(sheet(kind, "png").data)).convert("L"), dtype=float)


def test_a_grey_copy_tells_cells_and_sides_apart() -> None:
    # Blue and ochre are equally dark: bars of the second are hatched, and cells without a verdict are no full squares.
    corpus, study = sample()
    svg = on_paper(card(study, ("via-catalan", "via-galician"), corpus=corpus), "svg").data.decode()
    assert svg.count("<pattern ") == 1
    whole, hatched = (len(re.findall(rf"fill: {ground}", svg)) for ground in (FIRST, r"url\(#"))
    assert min(whole, hatched) > 3
    cells = grey("league")[190:460, 830:1150]
    assert luminance(verdict_colour("better", 0.0)) < 0.35 < luminance("#f2f2f2")
    assert {"dark": bool((cells < 160).mean() > 0.2), "pale": bool((cells > 235).mean() > 0.2)} == {
        "dark": True, "pale": True,
    }  # fmt: skip


@pytest.mark.slow
def test_a_card_is_in_the_font_of_the_pages_where_that_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    for fonts in (("DejaVu Serif", "DejaVu Sans"), ("no such font", "DejaVu Sans"), ("DejaVu Sans",)):
        monkeypatch.setattr(_paper, "_CARD_FONTS", fonts)
        drawn.append(on_paper(of_sample(), "svg").data)
    assert drawn[0] != drawn[1] == drawn[2]


def test_a_card_asks_for_what_there_is() -> None:
    _, study = sample()
    with pytest.raises(UnknownName, match="no metric in this study"):
        card(study, metric="ter")
    with pytest.raises(NotApplicable, match="not among the comparisons"):
        card(study, ("direct", "nobody"))
    with pytest.raises(NotApplicable, match="several"):
        card(mtsig.compare(mtsig.read_sample(), "chrf", by="length"))
    with pytest.raises(UnknownName, match="format of cards"):
        on_paper(of_sample(), "pdf")


def test_one_system_and_equal_ones_have_cards() -> None:
    corpus = made_corpus(n=60, systems=1, documents=0)
    twins = Corpus.of({"a": corpus.lines("sys0"), "b": corpus.lines("sys0")}, corpus.references)
    equal = card(mtsig.compare(twins, "chrf"), ("a", "b"), corpus=twins)
    assert "do not differ" in equal.said.title
    assert on_paper(equal, "png").data == on_paper(equal, "png").data


def test_two_systems_have_the_card_of_their_pair_and_equal_ones_that_of_their_scores() -> None:
    corpus = sample()[0].select(["direct", "direct-us"])
    two = mtsig.compare(corpus, "chrf")
    shown = card(two, corpus=corpus, day=DAY)
    assert isinstance(shown, PairCard)
    assert shown.said == card(two, ("direct", "direct-us"), corpus=corpus, day=DAY).said
    twins = Corpus.of({name: corpus.lines("direct") for name in "ab"}, corpus.references)
    assert isinstance(card(mtsig.compare(twins, "chrf"), corpus=twins), LeagueCard)


def test_the_command_writes_the_card_of_a_study_of_data_and_of_a_pair(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, study = sample()
    kept, out = study.save(tmp_path / "study.json"), tmp_path / "card.png"
    folder = str(Path(mtsig.__file__).parents[1] / "sample_data" / "es-en")
    day = ["--day", "2026-11-25", "-o", str(out)]
    assert main(["card", str(kept), *day]) == 0
    assert capsys.readouterr().out == f"{out}\n"
    whole = out.read_bytes()
    assert whole == sheet("league", "png").data
    assert main(["card", "--data", folder, "--metric", "chrf", *day]) == 0
    assert out.read_bytes() == whole
    assert main(["card", str(kept), "--data", folder, "--pair", "direct", "direct-us", *day]) == 0
    assert out.read_bytes() == sheet("pair", "png").data


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seed", "3"], "--seed do not go together"),
        (["--day", "yesterday"], "--day takes a date such as"),
        (["--metric", "ter"], "There is no metric in this study"),
    ],
)
def test_the_command_refuses_in_one_sentence(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = sample()[1].save(tmp_path / "study.json")
    assert main(["card", str(kept), "-o", str(tmp_path / "card.png"), *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "card.png").exists()
