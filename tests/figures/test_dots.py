"""Dots with intervals: scores of several metrics, differences against zero, and both side by side."""

import math
import re
from dataclasses import replace

import pytest
from contrasts import DARK, LIGHT, contrast
from kept import worded
from made import made_corpus
from sampled import crossed
from sheets import legend_of, on_sheet, trouble_on

from mtsig import Settings, measure, verdict
from mtsig.errors import UnknownName
from mtsig.figures import PAPERS, Forest, IntervalBars
from mtsig.figures._dots import Dots, Panel, intervals_text
from mtsig.figures._look import text_columns, wrapped
from mtsig.inference import Family, Intervals

SETTINGS = Settings(n_resamples=300, unit="segment")


@pytest.fixture(scope="module")
def measured() -> list[tuple[Family, Intervals]]:
    corpus = made_corpus(n=120, systems=5, documents=0)
    return [
        (SETTINGS.family(counts), SETTINGS.intervals(counts))
        for counts in (measure(corpus, one) for one in ("bleu", "chrf"))
    ]


@pytest.fixture(scope="module")
def family(measured: list[tuple[Family, Intervals]]) -> Family:
    return measured[0][0]


@pytest.fixture(scope="module")
def pictures(measured: list[tuple[Family, Intervals]]) -> dict[str, Dots]:
    (family, scored), (other, also) = measured
    return {
        "scores": IntervalBars.of([scored, also]),
        "beside": IntervalBars.of(scored, family),
        "forest": Forest.of([family, other], "sys2"),
    }


def test_a_forest_has_every_difference_of_its_system_with_its_verdict(family: Family) -> None:
    drawn = Forest.of(family, "sys2")
    (panel,) = drawn.panels
    assert drawn.names == tuple(name for name in family.order if name != "sys2")
    for row, other in enumerate(drawn.names):
        i = family.find("sys2", other)
        assert i is not None
        one = family[i] if family[i].first == "sys2" else family[i].turned
        assert (panel.estimate[row], panel.low[row], panel.high[row]) == (one.difference, one.ci_low, one.ci_high)
        decided = verdict(one)
        assert panel.verdicts[row] == (decided.word if decided.winner in (None, "sys2") else "worse")
    assert {"better", "worse"} <= set(panel.verdicts)


def test_panels_of_several_metrics_share_the_order_of_the_first(measured: list[tuple[Family, Intervals]]) -> None:
    (_, scored), (_, also) = measured
    drawn = IntervalBars.of([scored, also])
    assert [panel.title for panel in drawn.panels] == ["BLEU", "chrF2"]
    for panel, intervals in zip(drawn.panels, (scored, also), strict=True):
        assert list(panel.estimate) == [intervals[name].score for name in drawn.names]
    assert list(drawn.panels[0].estimate) == sorted(drawn.panels[0].estimate, reverse=True)


def test_systems_that_a_metric_does_not_have_are_in_the_figure_and_in_its_caption(
    measured: list[tuple[Family, Intervals]],
) -> None:
    (family, scored), (other, also) = measured
    lost = "sys2"
    fewer = also.with_rows([record for record in also if record.system != lost])
    for metrics in ([scored, fewer], [fewer, scored]):
        drawn = IntervalBars.of(metrics)
        assert set(drawn.names) == set(scored.systems)
        worded(drawn.caption)
    assert "no score" not in IntervalBars.of([scored, also]).caption
    left = tuple(record for record in other if lost not in (record.first, record.second))
    forest = Forest.of([family, replace(other.with_rows(left), drawn=None)], "sys1")
    worded(forest.caption)
    assert lost in forest.names


def test_beside_scores_stand_the_differences_of_the_best(measured: list[tuple[Family, Intervals]]) -> None:
    family, scored = measured[0]
    drawn = IntervalBars.of(scored, family)
    best, differences = drawn.names[0], drawn.panels[1]
    assert math.isnan(differences.estimate[0])
    assert differences.verdicts[0] is None
    for row, other in enumerate(drawn.names[1:], 1):
        assert differences.estimate[row] == pytest.approx(scored[best].score - scored[other].score)


def test_the_screen_draws_these_numbers_in_marks_of_their_verdict(pictures: dict[str, Dots]) -> None:
    for drawn in pictures.values():
        figure = drawn.screen()
        for number, panel in enumerate(drawn.panels):
            axis = f"x{number + 1}" if number else "x"
            found = {}
            symbols: dict[str, set[object]] = {}
            thin = {}
            for trace in figure.select_traces(lambda one, axis=axis: one.xaxis == axis and one.mode == "lines"):
                thin |= {y: ends for y, *ends in zip(trace.y[::3], trace.x[::3], trace.x[1::3], strict=True)}
            assert thin == {y: list(ends) for y, ends in enumerate(panel.adjusted) if ends[0] == ends[0]}
            for trace in figure.select_traces(
                lambda one, axis=axis: one.xaxis == axis and one.mode == "markers" and one.x[0] is not None
            ):
                for x, y, low, high in zip(
                    trace.x, trace.y, trace.error_x.arrayminus, trace.error_x.array, strict=True
                ):
                    found[y] = pytest.approx((x - low, x, x + high))
                    word = panel.verdicts[y] if panel.verdicts else None
                    symbols.setdefault(trace.marker.symbol, set()).add(word)
            rows = [row for row, value in enumerate(panel.estimate) if not math.isnan(value)]
            assert {row: (panel.low[row], panel.estimate[row], panel.high[row]) for row in rows} == found
            assert all(len(words) == 1 for words in symbols.values())


def test_long_titles_of_axes_are_folded_and_the_figure_is_higher_for_it(pictures: dict[str, Dots]) -> None:
    drawn = pictures["forest"]
    title = "BLEU: transformer-big-with-backtranslation-and-average minus the row's system"
    names = tuple(f"a-system-with-a-long-name-{place}" for place in range(len(drawn.names)))
    panel, *others = drawn.panels
    long = replace(drawn, names=names, panels=(replace(panel, title=title), *others))
    for number in (1, 2):
        some = [replace(picture, panels=picture.panels[:number]).screen() for picture in (drawn, long)]
        before, after = ([axis.title.text.split("<br>") for axis in one.select_xaxes()] for one in some)
        assert re.sub("<br>|[ -]", "", some[1].layout.xaxis.title.text) == re.sub("[ -]", "", title)
        # A figure of 400 pixels has at most 56 signs of 7 pixels, less those of the names.
        assert max(map(len, after[0])) <= max(12, (56 - len(names[0])) // number)
        assert some[1].layout.height - some[0].layout.height == 18 * (max(map(len, after)) - max(map(len, before)))


def test_titles_of_axes_need_no_second_line_beside_names_of_usual_length(pictures: dict[str, Dots]) -> None:
    names = tuple(f"VolcTrans-AT{place}" for place in range(9))
    for drawn in pictures.values():
        one = replace(drawn, names=names[: len(drawn.names)]).screen()
        assert not any("<br>" in axis.title.text for axis in one.select_xaxes())


def test_lines_fit_their_columns_and_lose_nothing() -> None:
    texts = (
        "BLEU: Online-B minus Lan-Bridge",
        "在线系统翻译的质量, 系统甲 − 系统乙",
        "a-very-long-name-of-a-system 译文，很好。",
        "",
    )
    for text in texts:
        for columns in (6, 11, 20, 80):
            lines = wrapped(text, columns)
            assert "".join("".join(lines).split()) == "".join(text.split())
            assert max(map(text_columns, lines), default=0) <= columns + 2  # with what no line begins with
            assert not any(line[0] in "，。" for line in lines)
    # Words stay whole where they fit.
    assert wrapped(texts[0], 20) == ["BLEU: Online-B minus", "Lan-Bridge"]
    # No number is cut in two where the name has a better place.
    assert wrapped("Tencent_Translation.1520", 22) == ["Tencent_Translation.", "1520"]


def test_zero_is_in_sight_of_every_difference(pictures: dict[str, Dots]) -> None:
    for drawn in (pictures["forest"], pictures["beside"]):
        figure = drawn.screen()
        compared = [panel for panel in drawn.panels if panel.verdicts]
        assert [(shape.x0, shape.x1) for shape in figure.layout.shapes] == [(0, 0)] * len(compared)
        assert all(panel.range[0] < 0 < panel.range[1] for panel in compared)


@pytest.mark.parametrize("page", [LIGHT, DARK])
def test_dots_intervals_and_lines_stand_out_in_both_themes(pictures: dict[str, Dots], page: str) -> None:
    for drawn in pictures.values():
        figure = drawn.screen()
        colours = [trace.marker.color for trace in figure.data if trace.mode == "markers"]
        colours += [trace.error_x.color for trace in figure.data if trace.error_x.color]
        colours += [trace.line.color for trace in figure.data if trace.mode == "lines"]
        colours += [shape.line.color for shape in figure.layout.shapes]
        assert min(contrast(colour, page) for colour in colours) >= 3


@crossed("paper, kind", sorted(PAPERS), ["scores", "beside", "forest"])
def test_what_the_caption_promises_stands_on_paper_and_nothing_collides(
    pictures: dict[str, Dots], kind: str, paper: str
) -> None:
    picture = pictures[kind]
    sheet = on_sheet(picture, paper)
    assert legend_of(sheet) == []
    labelled = [axes.get_title("right") for axes in sheet.axes if axes.get_title("right")]
    assert ("ashed" in picture.caption) == (set(labelled) == {"better →"})
    titles = [axes.get_xlabel().replace("\n", " ") for axes in sheet.axes if axes.get_xlabel()]
    assert titles == [panel.title for panel in picture.panels]
    assert all(panel.title.partition(":")[0].partition(" ")[0] in picture.caption for panel in picture.panels)
    assert trouble_on(sheet) == []


def test_titles_break_before_a_minus_and_one_row_of_close_panels_is_better_than_a_rest(
    measured: list[tuple[Family, Intervals]],
) -> None:
    families = [family for family, _ in measured]
    long = replace(Forest.of(families, "sys2"), panels=Forest.of([*families, families[0]], "sys2").panels)
    renamed = replace(long, panels=tuple(replace(panel, title="BLEU: Online-Sys − row") for panel in long.panels))
    sheet = on_sheet(renamed, "acl-column")
    titles = [axes.get_xlabel() for axes in sheet.axes]
    assert len(titles) == 3
    assert all("\n− row" in title for title in titles)
    assert len({axes.get_position().y0 for axes in sheet.axes}) == 1
    assert not trouble_on(sheet)
    # Four panels, of which a row has three, stand two and two.
    four = replace(renamed, panels=(*renamed.panels, renamed.panels[0]))
    places = [axes.get_position().y0 for axes in on_sheet(four, "acl-column").axes]
    assert len(places) == 4
    assert len(set(places)) == 2


def test_the_lines_of_a_folded_name_are_nearer_to_each_other_than_to_the_next_name(pictures: dict[str, Dots]) -> None:
    drawn = pictures["forest"]
    long = replace(drawn, names=tuple(f"Transformer-big – Online-{name}" for name in drawn.names))
    sheet = on_sheet(long, "neurips-half")
    boxes = [label.get_window_extent() for label in sheet.axes[0].get_yticklabels()]
    assert all("\n" in label.get_text() for label in sheet.axes[0].get_yticklabels())
    pitch = abs(boxes[0].y0 - boxes[1].y0)
    assert max(box.height for box in boxes) < 0.85 * pitch


def test_a_system_that_nothing_was_compared_with_is_named(family: Family) -> None:
    with pytest.raises(UnknownName, match="'sys9'"):
        Forest.of(family, "sys9")


def test_the_caption_says_whether_the_intervals_are_corrected(family: Family) -> None:
    worded(Forest.of(family, "sys0").caption, "10 comparisons")
    worded(intervals_text(replace(family[0], interval="simultaneous")))
    worded(intervals_text(replace(family[0], correction="none")))


def test_metrics_of_other_families_have_a_sentence_of_their_own(measured: list[tuple[Family, Intervals]]) -> None:
    (family, scored), (other, also) = measured
    assert Forest.of([family, other], "sys0").caption.count("Intervals:") == 1
    fewer = replace(other.changed(family_size=6), drawn=None)
    caption = Forest.of([family, fewer], "sys0").caption
    worded(caption, "10 comparisons", "6 comparisons")
    worded(IntervalBars.of([scored, also]).caption, "95% CIs", "120 segments")
    fewer_units = also.changed(units=90)
    caption = IntervalBars.of([scored, fewer_units]).caption
    worded(caption, "120 segments", "90 segments", "95% CIs")


def test_captions_say_who_is_a_human_translation(measured: list[tuple[Family, Intervals]]) -> None:
    (family, scored), _ = measured
    named = scored.changed(system=[name.replace("sys4", "refA") for name in scored.system])
    assert "Human translation: refA." in IntervalBars.of(named).caption
    assert "Human" not in IntervalBars.of(scored).caption
    assert "Human" not in Forest.of(family, "sys0").caption


def test_rows_that_a_panel_lacks_stay_empty() -> None:
    panel = Panel("m", (1.0, float("nan")), (0.5, float("nan")), (1.5, float("nan")), 2)
    assert panel.rows_of(None) == [0]
    assert panel.range == pytest.approx((0.46, 1.54))
