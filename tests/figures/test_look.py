"""Colours of systems and of verdicts, names at the ends of curves, and no more points than pixels."""

import re
from itertools import combinations, product

import numpy as np
import plotly.graph_objects as go
import pytest
from contrasts import ACCENTS, DARK, LIGHT, SEEN, apart, contrast, luminance, over
from hypothesis import given
from hypothesis import strategies as st
from made import DASHBOARD, ROOT, made_statistics

from mtsig import Settings
from mtsig._writing import shorts
from mtsig.figures import Histogram
from mtsig.figures._curves import Plot, Series
from mtsig.figures._look import (
    BLUES,
    DASHES,
    FIRST,
    FIRST_TEXT,
    GREY,
    INK,
    INK_2,
    MARKS,
    OCHRES,
    PAGE_INK,
    PALETTE,
    SECOND,
    SECOND_TEXT,
    SLATE,
    SYMBOLS,
    WARN,
    spread,
    system_colours,
    verdict_colour,
)
from mtsig.figures._marks import seen_curve, seen_points


def distance(one: str, other: str) -> float:
    """Return how far apart two colours are, in steps of their three channels."""
    channels = (np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) for colour in (one, other))
    return float(np.linalg.norm(np.subtract(*channels)))


def test_no_system_has_a_colour_of_a_verdict() -> None:
    verdicts = [verdict_colour(word, share) for word in ("better", "worse") for share in np.linspace(0, 1, 20)]
    assert len(set(PALETTE)) == 8
    assert min(distance(*pair) for pair in product(PALETTE, [*verdicts, SLATE])) > 25
    assert {verdict_colour("better", share) for share in (0, 1)} == set(BLUES)
    assert {verdict_colour("worse", share) for share in (0, 1)} == set(OCHRES)


@pytest.mark.parametrize("page", [LIGHT, DARK])
def test_every_colour_stands_out_in_both_themes(page: str) -> None:
    assert min(contrast(colour, page) for colour in (*PALETTE, *BLUES, *OCHRES, SLATE, INK, GREY)) >= 3


def test_the_two_of_a_pair_have_colours_of_their_verdicts_that_stand_out_and_can_be_read():
    assert (verdict_colour("better", 0.6), verdict_colour("worse", 0.6)) == (FIRST, SECOND)
    for theme, page in enumerate((LIGHT, DARK)):
        assert min(contrast(colour, page) for colour in (FIRST, SECOND)) >= 4
        assert min(contrast(text[theme], page) for text in (FIRST_TEXT, SECOND_TEXT, INK_2, WARN)) >= 6.5


@pytest.mark.parametrize("text", [FIRST_TEXT, SECOND_TEXT, INK_2, WARN])
def test_texts_of_figures_have_the_page_s_theme(text: tuple[str, str]):
    red, green, blue = (int(text[0][i : i + 2], 16) for i in (1, 3, 5))
    style = (DASHBOARD / "style.css").read_text(encoding="utf-8")
    rule = style.split(f'&[style*="fill: rgb({red}, {green}, {blue})"]')[1].split("}")[0]
    assert f"light-dark({text[0]}, {text[1]})" in rule
    assert {"#2d74ce", "#bb580a"} == {FIRST, SECOND} <= set(style.replace(";", " ").split())


def test_what_means_different_things_is_told_apart_by_whoever_sees_fewer_colours() -> None:
    blues, ochres = ([verdict_colour(word, share) for share in (0, 0.5, 1)] for word in ("better", "worse"))
    sides = [*product(blues, ochres), (FIRST, SECOND), *zip(FIRST_TEXT, SECOND_TEXT, strict=True)]
    quiet = [*product([*blues, *ochres], (SLATE, INK)), *zip(WARN, INK_2, strict=True)]
    for seen in (seen for seen in SEEN if seen != "grey"):
        assert min(apart(*pair, seen) for pair in sides) > 60, seen
        assert min(apart(*pair, seen) for pair in quiet) > 17, seen
    # In grey, the two sides of a pair are one: signs and hatches tell them, and so they do curves.
    assert apart(FIRST, SECOND, "grey") < 5
    assert len({*MARKS.values()}) == len(MARKS)
    looks = [(DASHES[i % len(DASHES)], SYMBOLS[i % len(SYMBOLS)]) for i in range(len(PALETTE))]
    for (one, look), (other, another) in combinations(zip(PALETTE, looks, strict=True), 2):
        assert look != another or min(apart(one, other, seen) for seen in SEEN) > 10


_INK_OF_PAGES = {LIGHT: "#31333f", DARK: "#fafafa"}
"""What Streamlit's themes put for the page's ink."""

_GROUNDS = ("background", "--pale", "--light", "--back", "--on-blue", "--seg-rule", "--seg-paper")
"""What stands out as a mark does, or is a ground on which text can be read."""


def test_colours_of_stylesheets_can_be_read_in_both_themes() -> None:
    for sheet in (*DASHBOARD.glob("*.css"), ROOT / "mtsig/segments/cards.css", ROOT / "mtsig/lessons/web/lessons.css"):
        for what, value in re.findall(r"([\w-]+): ([^;{}]*#[^;{}]*);", sheet.read_text(encoding="utf-8")):
            colours = (re.findall(r"#[0-9a-f]{6}\b", value) * 2)[:2]
            if not colours:
                continue
            # What has a page's own colour is written on the accent's.
            pages = ACCENTS if tuple(colours) == (LIGHT, DARK) else (LIGHT, DARK)
            found = min(map(contrast, colours, pages))
            is_read_on = what in _GROUNDS and min(map(contrast, colours, _INK_OF_PAGES.values())) >= 4.5
            assert is_read_on or found >= (4.5 if what in ("color", "fill") else 3), (sheet.name, what, value)


def test_eight_systems_have_colours_and_the_others_are_grey() -> None:
    found = system_colours([f"s{i}" for i in range(10)])
    assert list(found.values()) == [*PALETTE, GREY, GREY]


@pytest.mark.parametrize("page", [LIGHT, DARK])
def test_lines_over_a_histogram_stand_out_on_page_margin_and_bars(page: str) -> None:
    family = Settings(n_resamples=300).family(made_statistics(n=120))
    assert family.null is not None
    for drawn in (
        Histogram.of_resampled(family.resampled(0), family[0], margin=0.5),
        Histogram.of_shuffled(family.null[0], family[0]),
    ):
        figure = drawn.screen()
        bars = {trace.marker.color for trace in figure.data if isinstance(trace, go.Bar)}
        grounds = [page, *(over(colour, page) for colour in bars if not colour.startswith("#"))]
        lines = [trace for trace in figure.data if isinstance(trace, go.Scatter) and trace.mode == "lines"]
        upright = {trace.line.color for trace in lines if len(set(trace.x)) == 1}
        # White inside of bars, and the page's ink above them.
        assert upright == {PAGE_INK, "#ffffff"}
        assert min(contrast(_INK_OF_PAGES[page], ground) for ground in grounds) >= 3
        assert min(contrast("#ffffff", colour) for colour in bars if colour.startswith("#")) >= 3


def test_luminance_is_that_of_the_standard() -> None:
    assert luminance("#ffffff") == pytest.approx(1)
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=12), st.integers(1, 5))
def test_names_are_moved_apart_and_no_farther_than_needed(places: list[int], gap: int) -> None:
    found = spread([float(place) for place in places], float(gap))
    order = np.argsort(places, kind="stable")
    assert np.diff(np.array(found)[order]).min(initial=gap) >= gap - 1e-6
    if np.diff(np.sort(places)).min(initial=gap) >= gap:
        assert found == pytest.approx(places)
    # Each cluster stays where its members would be on average.
    assert np.mean(found) == pytest.approx(np.mean(places), abs=1e-6)


def test_many_points_are_thinned_to_what_a_screen_shows() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, 200_000))
    kept = seen_points(x.tolist(), y.tolist())
    assert len(kept) < 120_000
    step_x, step_y = np.ptp(x) / 1000, np.ptp(y) / 1000
    left, bottom = x.min(), y.min()
    cells = {(int((a - left) / step_x), int((b - bottom) / step_y)) for a, b in zip(x, y, strict=True)}
    assert abs(len(kept) - len(cells)) <= 2
    few = rng.normal(size=(2, 50))
    assert seen_points(few[0].tolist(), few[1].tolist()) == list(range(50))


def test_a_long_curve_keeps_its_peaks_and_its_ends() -> None:
    x = np.arange(100_000.0)
    y = np.sin(x / 3000)
    y[77_777] = 9
    kept = seen_curve(x.tolist(), y.tolist())
    assert len(kept) <= 4004
    assert {0, 77_777, 99_999} <= set(kept)
    assert min(y[kept]) == min(y)


def test_a_plot_sends_what_can_be_seen_and_names_what_it_keeps() -> None:
    x = tuple(np.repeat(np.arange(10.0), 3).tolist())
    texts = tuple(f"t{i}" for i in range(30))
    (drawn,) = Plot("x", "y", (Series("s", x, x, "points", texts=texts),)).screen().data
    assert list(drawn.x) == list(range(10))
    assert list(drawn.hovertext) == [f"t{3 * i}" for i in range(10)]


@pytest.mark.parametrize(
    ("whole", "seen"),
    [
        # What WMT called its files: test set, system, submission, languages.
        ("newstest2017.online-B.0.en-de newstest2017.uedin-nmt.4955.en-de", "online-B uedin-nmt"),
        ("newstest2017.online-B.0.en-de newstest2017.online-B.1.en-de newstest2017.online-A.0.en-de",
         "online-B.0 online-B.1 online-A"),
        ("newstest2017.online-B.0.en-de newstest2017.online-A.0.en-de refA", "online-B online-A refA"),
        ("wmt23.ru-en.hyp.PROMT.en wmt23.ru-en.refA.en wmt23.ru-en.hyp.ONLINE-A.en", "PROMT refA ONLINE-A"),
        ("wmt22-online-A wmt22-online-B wmt22-HuaweiTSC", "online-A online-B HuaweiTSC"),
        ("newstest2019_facebook_en-de newstest2019_online-A_en-de", "facebook online-A"),
        ("2017-facebook-ai 2017-online-b", "facebook-ai online-b"),
        ("en-de.facebook-ai en-de.online-abc", "facebook-ai online-abc"),
        ("team01-submission team02-submission", "team01 team02"),
        ("hyp_baseline-en_x hyp_large-model", "baseline-en_x large-model"),
        ("my-submission-one my-submission-two", "my-submission-one my-submission-two"),
        # What is shared tells something, or too little would stay.
        ("online-A online-B", "online-A online-B"),
        ("Online-Translate-A Online-Translate-B", "Online-Translate-A Online-Translate-B"),
        ("base.run1 base.run2", "base.run1 base.run2"),
        ("long-systems-name.1 long-systems-name.2", "long-systems-name.1 long-systems-name.2"),
        ("gpt-3.5-turbo-2023 gpt-4.5-turbo-2024", "gpt-3.5-turbo-2023 gpt-4.5-turbo-2024"),
        ("v1.5-base-longish v1.5-large-longish", "v1.5-base-longish v1.5-large-longish"),
        ("newstest2017.online-B.en-de", "newstest2017.online-B.en-de"),
        ("", ""),
    ],
)  # fmt: skip
def test_names_are_shown_without_what_they_share(whole: str, seen: str) -> None:
    assert list(shorts(whole.split())) == seen.split()


def test_long_names_show_what_tells_them_apart() -> None:
    long = [f"{'x' * 2500}{sign}{'y' * 2500}" for sign in "abc"]
    found = shorts(long)
    assert len(set(found)) == 3
    assert max(map(len, found)) <= 28
    assert all(sign in name for sign, name in zip("abc", found, strict=True))


@given(st.lists(st.text("aB1.-_", min_size=1, max_size=40), min_size=1, max_size=6))
def test_names_that_are_shown_are_never_alike_where_they_were_not(names: list[str]) -> None:
    found = dict(zip(names, shorts(names), strict=True))
    assert len(set(found.values())) == len(found)
    assert max(map(len, found.values())) <= 28 + len(" (6)")
