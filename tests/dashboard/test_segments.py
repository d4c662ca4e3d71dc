"""The Segments page: cards in an order, filters, keys as buttons, stars and notes, files to take away."""

import csv
import io
import re
from dataclasses import replace
from urllib.parse import parse_qsl

import numpy as np
import pytest
from kept import parts, worded
from mtsig_dashboard import memory, session
from mtsig_dashboard.parts.cards import stars_csv
from mtsig_dashboard.serving._workers import Workers
from mtsig_dashboard.session import Session
from mtsig_dashboard.state import Selection
from pages import address, at_page, at_tab, group, lines, made_files, texts, uploaded, with_sample
from streamlit.testing.v1 import AppTest

from mtsig import compare, measure, read_sample, reproduce
from mtsig._writing import in_html
from mtsig.cli._dashboard import VisitorLimits
from mtsig.corpus import slices_of
from mtsig.inference import influential_segments
from mtsig.segments import _overview as choosing
from mtsig.segments import contributions, word_view
from mtsig.study import study_of

DIRECT = {"first": "direct", "second": "via-catalan"}


def opened(**query: str) -> AppTest:
    return with_sample("segments", **(DIRECT | query))


def cards(at: AppTest) -> list[int]:
    """Return the numbers of the segments whose cards are shown, from 1."""
    bodies = [html.proto.body for html in at.get("html")]
    return [int(number.replace(",", "")) for body in bodies for number in re.findall(r"<b>#([\d,]+)</b>", body)]


def unfolded(at: AppTest, fold: str) -> AppTest:
    """Open a fold below the list of contributions."""
    at.session_state[fold] = True
    return at.run()


def test_the_page_begins_with_what_speaks_most_for_the_first_system():
    at = opened()
    found = contributions(measure(read_sample(), "bleu"), "direct", "via-catalan")
    strongest = (found.numbers[(-found.values).argsort(kind="stable")] + 1).tolist()
    assert cards(at) == strongest[:10]
    (title,) = [one.value.replace("\\", "") for one in at.title]
    amount = f"{found.difference:.1f} BLEU"
    worded(title, amount, "11 of 200")
    strongest_first = np.sort(found.values)[::-1]
    assert strongest_first[:10].sum() < found.difference / 2 <= strongest_first[:11].sum()
    assert "All 200 segments" in texts(at).replace("*", "")
    assert "The difference is significant even if" in texts(at)
    worded(parts(texts(at), "(a sensitivity analysis"))
    worded(parts(texts(unfolded(at, "leverage")), "chosen by their"))
    at.session_state["cards"] = 2
    assert cards(at.run()) == strongest[10:20]


def bars(at: AppTest) -> list[tuple[int, str]]:
    """Return the bars of the list of contributions: the position of each, and what it says."""
    (html,) = [one.proto.body for one in at.get("html") if '<div class="contributors">' in one.proto.body]
    return [(int(at), said) for at, said in re.findall(r'data-number="(\d+)" title="([^"]*)"', html)]


@pytest.mark.slow
def test_what_cancels_out_is_said_where_a_small_difference_is_made_of_large_ones():
    at = opened(first="via-catalan", second="via-galician", metric="BLEU")
    said = texts(at)
    values = contributions(measure(read_sample(), "bleu"), "via-catalan", "via-galician").values
    gains, losses = values[values > 0].sum(), -values[values < 0].sum()
    of = f"favour via-catalan add {gains:.1f} BLEU", f"favour via-galician take away {losses:.1f}."
    worded(parts(said, "Segments that favour"), *of)
    # Half of what is left says little. Where nothing is significant, no system leads in a title.
    assert "Half of" not in said
    # What favours one side alone is no next step there.
    assert not [button for button in at.button if button.proto.type == "primary"]
    title = said.split("\n")[0]
    worded(title, "via-catalan and via-galician", "too close to call")
    assert "leads" not in title
    assert "leads" in texts(opened()).split("\n")[0]
    assert not parts(" ".join(one.proto.body for one in at.get("html")), "of the difference.")
    assert "take away" not in texts(opened())  # there most of the difference is one system's


def test_the_list_of_contributions_has_a_bar_for_each_segment_or_for_groups_of_ranks():
    at = opened(second="direct-us")
    found = contributions(measure(read_sample(), "bleu"), "direct", "direct-us")
    some = np.flatnonzero(found.values)
    assert [position for position, _ in bars(at)] == [i for i in found.strongest_first if i in some]
    assert bars(at)[0][1] == "#63: +0.0836 BLEU"
    worded(
        parts(" ".join(one.proto.body for one in at.get("html")), "The first 5"),
        "5 make",
        f"{np.sort(found.values)[::-1][:5].sum() / found.difference:.0%}",
    )
    assert cards(at)[0] == 63
    assert "<b class=second></b><b class=first>direct →</b>" in " ".join(one.proto.body for one in at.get("html"))
    many = bars(opened())
    assert 20 < len(many) <= 36
    assert many[0][1].startswith("Ranks 1–")


def test_order_and_filters_choose_the_cards():
    at = opened()
    assert cards(at.selectbox(key="sort").select("number").run()) == list(range(1, 11))
    corpus = read_sample()
    assert corpus.documents is not None
    at.selectbox(key="document").select(corpus.documents[50]).run()
    inside = [i + 1 for i, name in enumerate(corpus.documents) if name == corpus.documents[50]]
    assert cards(at) == inside[:10]
    at.selectbox(key="document").select("all").run()
    at.text_input(key="look_for").set_value("/^xyzzy$/").run()
    worded(parts(texts(at), "No segment fits"))
    at.text_input(key="look_for").set_value("/(/").run()
    worded(parts(texts(at), "regular expression"))
    at.text_input(key="look_for").set_value("").run()
    at.selectbox(key="side").select("neither").run()
    found = contributions(measure(corpus, "bleu"), "direct", "via-catalan")
    worded(parts(texts(at).replace("*", ""), f"{int((found.values == 0).sum())} segments"), "200")


def test_no_expression_of_an_address_is_read_in_the_servers_process(monkeypatch):
    def here(pattern):
        raise AssertionError(f"read in the process that serves everybody: {pattern}")

    monkeypatch.setattr(choosing, "_compiled", here)
    children = Workers(VisitorLimits(workers=1))  # the pages of other tests do without
    monkeypatch.setattr(memory, "workers", lambda: children)
    at = opened(look_for="/(?<=^The )first/")
    found = numbers_of(read_sample(), "(?<=^The )first")
    assert 0 < len(found) <= 10
    assert set(cards(at)) == found
    worded(parts(texts(opened(look_for="/(?P<x>a)(?P=x){99999999}/")), "has too many"))
    children.close()


def numbers_of(corpus, expression):
    columns = (corpus.segments.sources, *corpus.references.values(), *map(corpus.lines, DIRECT.values()))
    lines = enumerate(zip(*columns, strict=True), 1)
    return {number for number, texts in lines if any(re.search(expression, text, re.IGNORECASE) for text in texts)}


def test_keys_go_from_card_to_card_and_star_and_notes_are_kept_for_the_file():
    at = opened()
    at.button(key="star-" + str(cards(at)[0] - 1)).click().run()
    note = next(field for field in at.text_input if field.label == "Note")
    note.set_value("=loses the date").run()
    shortcuts = {button.proto.shortcut: button for button in at.button if button.proto.shortcut}
    assert set(shortcuts) == {"j", "k", "s", "d"}
    shortcuts["j"].click().run()
    next(button for button in at.button if button.proto.shortcut == "s").click().run()
    both = cards(at)[:2]
    at.toggle(key="starred").set_value(True).run()
    assert cards(at) == both
    # After a change of page they are still there.
    at_page(at, "results")
    at_page(at, "segments")
    assert "Starred only (2)" in [toggle.label for toggle in at.toggle]


def test_stars_go_out_as_csv_that_no_spreadsheet_computes():
    corpus = read_sample()
    found = contributions(measure(corpus, "bleu"), "direct", "via-catalan")
    (first,) = [number for number, _ in influential_segments(measure(corpus, "bleu"), "direct", "via-catalan", 1)][:1]
    rows = list(csv.DictReader(io.StringIO(stars_csv(corpus, found, {first: "=1+1"}))))
    assert rows[0]["segment"] == str(first + 1)
    assert not rows[0]["note"].startswith("=")
    assert float(rows[0]["contribution"]) == found.values[first]


def test_stars_enter_the_study_and_come_back_with_it():
    corpus, selection = read_sample(), Selection()
    selection.star(corpus.digest, 4)
    selection.note(corpus.digest, 4, "loses the date")
    study = replace(compare(corpus, "bleu", n_resamples=100), stars=selection.stars_of(corpus))
    read_again = study_of(study.text().encode(), "study.json")
    assert [(star.segment, star.note) for star in read_again.stars] == [(5, "loses the date")]
    assert reproduce(read_again, corpus).same
    other = Selection()
    other.star(corpus.digest, 9)
    other.take_stars(corpus, read_again.stars)
    assert other.starred(corpus.digest) == {4: "loses the date", 9: ""}


@pytest.mark.slow
def test_a_link_carries_stars_without_what_was_noted():
    at = opened()
    first, second, *_ = cards(at)
    for number in (first, second):
        at.button(key=f"star-{number - 1}").click().run()
    next(field for field in at.text_input if field.label == "Note").set_value("loses the date").run()
    said = address(at)["stars"]
    assert sorted(map(int, said.split(".")[1:])) == sorted([first, second])
    assert "loses" not in str(address(at))
    linked = opened(stars=said, starred="true")
    assert sorted(cards(linked)) == sorted([first, second])
    # Of a star that is taken away nothing stays, nor of a link that was made of other data.
    at.button(key=f"star-{first - 1}").click().run()
    at.button(key=f"star-{second - 1}").click().run()
    assert "stars" not in address(at)
    other = opened(stars=f"000000000000.{first}")
    assert "Starred only (0)" in [toggle.label for toggle in other.toggle]
    hostile = opened(stars=f"{said.split('.')[0]}.0.-1.x.{10**9}.²")
    assert "Starred only (0)" in [toggle.label for toggle in hostile.toggle]


@pytest.mark.slow
def test_more_stars_than_a_link_carries_stay_out_of_it_and_the_link_says_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(session, "MOST_LINKED_STARS", most := 5)  # every star has its card on the page
    at = opened()
    visit = at.session_state["session"]
    for number in range(most):
        visit.selection.star(read_sample().digest, number)
    assert address(at.run())["stars"].count(".") == most
    assert visit.unlinked_stars == 0
    visit.selection.star(read_sample().digest, most)
    assert "stars" not in address(at.run())
    assert visit.unlinked_stars == most + 1


def test_a_link_leads_to_segments_by_their_numbers():
    at = opened(look_for="#5 #3")
    at.selectbox(key="sort").select("number").run()
    assert cards(at) == [3, 5]


def test_neighbours_and_all_systems_open_below_their_card():
    at = opened()
    number = cards(at)[0]
    at.button(key=f"neighbours-{number - 1}").click().run()
    assert len(cards(at)) > 10
    at.button(key=f"systems-{number - 1}").click().run()
    assert cards(at).count(number) == 2
    bodies = [html.proto.body for html in at.get("html")]
    assert any("via-esperanto" in body for body in bodies)
    # A link shows the same again.
    linked = opened(opened=address(at)["opened"])
    assert cards(linked).count(number) == 2
    at.button(key=f"systems-{number - 1}").click().run()
    assert len(cards(at)) == 10
    assert "opened" not in address(at)
    at.button(key=f"systems-{number - 1}").click().run()
    at.selectbox(key="sort").select("length").run()
    assert "opened" not in address(at)


@pytest.mark.slow
def test_all_outputs_begin_with_the_two_compared_and_go_on_by_score():
    at = opened(first="via-catalan", second="direct")
    number = cards(at)[0]
    at.button(key=f"systems-{number - 1}").click().run()
    (body,) = [html.proto.body for html in at.get("html") if "<bdi>via-esperanto</bdi>" in html.proto.body]
    names = re.findall(r'<dt[^>]*><bdi>(.*?)</bdi></dt>.*?<dd class="seg-score"><b>(.*?)</b></dd>', body)
    assert [name for name, _ in names[:2]] == ["via-catalan", "direct"]
    others = [float(score) for _, score in names[2:]]
    assert len(others) == 3
    assert others == sorted(others, reverse=True)
    assert [body.count(f'<dt class="seg-of-{side}">') for side in "ab"] == [1, 1]
    assert "<dt>reference</dt>" not in body


@pytest.mark.slow
def test_the_order_is_said_in_other_words_when_one_system_is_left():
    for said, is_alone, words in (("", True, "Largest contribution"), ("true", False, "Favours first most")):
        at = opened(alone=said)
        next(one for one in at.toggle if one.label == "Only direct").set_value(is_alone).run()
        # What the browser holds are words: unless they are sent again, the old ones stay.
        order = at.selectbox(key="sort").proto
        assert order.set_value
        assert (order.raw_value, order.options[0]) == (words, words)


def test_a_part_keeps_the_numbers_of_the_whole_and_says_so():
    corpus, at = read_sample(), opened(look_for="#3 #5 #199")
    visit = at.session_state["session"]
    visit.choose_slices({"length": [slices_of(corpus, "length")[0].name]})
    part = visit.data.corpus
    inside = [i + 1 for i in np.flatnonzero(slices_of(corpus, "length")[0].inside).tolist()]
    worded(parts(texts(at.run()), "segments keep their"))
    assert sorted(cards(at)) == [number for number in (3, 5, 199) if number in inside]
    at.text_input(key="look_for").set_value("").run()
    shown = cards(at)
    assert set(shown) <= set(inside)
    assert len(inside) < 200
    # What the card of a number shows is the line of that number in the files.
    bodies = [html.proto.body for html in at.get("html") if '<article class="seg-card">' in html.proto.body]
    for number, body in zip(shown, bodies, strict=True):
        assert in_html(corpus.lines("direct")[number - 1].split()[0]) in re.sub("<[^>]*>", "", body)
    at.button(key=f"star-{part.numbers.index(shown[0])}").click().run()
    assert address(at)["stars"].split(".")[1] == str(shown[0])
    assert [star.segment for star in visit.selection.stars_of(part)] == [shown[0]]
    outside = next(number for number in range(1, 201) if number not in inside)
    at.text_input(key="look_for").set_value(f"#{outside}").run()
    worded(parts(texts(at), "No segment fits"))


@pytest.mark.slow
def test_two_metrics_can_be_held_against_each_other():
    at = opened()
    group(at, "metric").set_value(["bleu", "chrf"]).run()
    assert "BLEU against chrF2" in at.selectbox(key="sort").options
    at.selectbox(key="sort").select("against chrF2").run()
    corpus = read_sample()
    bleu, chrf = (contributions(measure(corpus, name), "direct", "via-catalan") for name in ("bleu", "chrf"))
    apart = abs(bleu.values / bleu.values.std() - chrf.values / chrf.values.std())
    assert cards(at) == ((-apart).argsort(kind="stable")[:10] + 1).tolist()


def test_a_bucket_leaves_its_segments_and_says_its_share():
    at = opened()
    pills = group(at, "bucket")
    assert "identical" in pills.options
    (shares,) = [table.value for table in at.table if "Of the gain" in table.value.columns]
    assert shares["Segments"]["identical"] == 3
    assert shares["Of the gain"]["identical"] == 0
    pills.set_value(["identical"]).run()
    corpus = read_sample()
    same = [
        i + 1
        for i, (one, other) in enumerate(zip(corpus.lines("direct"), corpus.lines("via-catalan"), strict=True))
        if one == other
    ]
    assert sorted(cards(at)) == same
    # A link asks for it before anything is drawn.
    linked = opened(bucket=address(at)["bucket"])
    assert sorted(cards(linked)) == same


def test_words_stand_behind_their_tab():
    at = opened()
    assert "Words by frequency" not in texts(at)
    at.session_state["segments_tab"] = "Words"
    at.run()
    assert "Words by frequency" in texts(at)
    assert any("via-catalan" in frame.value.columns for frame in at.dataframe)


def test_notes_of_a_part_and_of_the_whole_stay_apart_and_are_kept_on_disk():
    visit = Session()
    visit.star("sha256:whole", 0)
    visit.note("sha256:whole", 0, "whole")
    visit.star("sha256:part", 0)
    visit.note("sha256:part", 0, "part")
    assert visit.selection.starred("sha256:whole") == {0: "whole"}
    assert visit.selection.starred("sha256:part") == {0: "part"}
    at = opened()
    number = cards(at)[0] - 1
    at.button(key=f"star-{number}").click().run()
    next(field for field in at.text_input if field.label == "Note").set_value("kept").run()
    kept = at.session_state["session"].selection.stars
    assert list(kept.values()) == [{number: "kept"}]
    assert at.session_state["session"].choices["stars"] == kept


def test_the_length_of_segments_can_be_chosen():
    at = opened()
    at.selectbox(key="length").select("short").run()
    at.selectbox(key="sort").select("length").run()
    sources = read_sample().segments.sources or ()
    lengths = sorted(len(text) for text in sources)
    longest = len(sources[cards(at)[0] - 1])
    assert longest <= lengths[len(lengths) // 3]


def test_ranges_in_words_do_what_a_brush_does_and_stand_in_the_address():
    at = opened()
    found = contributions(measure(read_sample(), "bleu"), "direct", "via-catalan")
    at.text_input(key="push").set_value("0.01 to inf").run()
    worded(parts(texts(at).replace("*", ""), f"{int((found.values >= 0.01).sum())} segments"), "200")
    assert cards(opened(push="0.01 to inf")) == cards(at)
    at.text_input(key="push").set_value("").run()
    at.text_input(key="score_first").set_value("30 to 10").run()
    inside = int(((found.scores[0] >= 10) & (found.scores[0] <= 30)).sum())
    worded(parts(texts(at).replace("*", ""), f"{inside} segments"), "200")
    at.text_input(key="score_first").set_value("ten to 30").run()
    assert "expected two numbers" in texts(at)
    next(button for button in at.button if button.label == "Remove the ranges").click().run()
    assert "All 200 segments" in texts(at).replace("*", "")


def test_one_system_alone_is_divided_among_its_segments():
    at = opened(alone="true")
    found = contributions(measure(read_sample(), "bleu"), "direct")
    worded(parts(texts(at), "Half of"), f"{found.difference:.1f} BLEU", f"{found.half} of 200")
    assert cards(at) == (found.numbers[(-found.values).argsort(kind="stable")] + 1).tolist()[:10]
    bodies = " ".join(html.proto.body for html in at.get("html") if 'class="finding' not in html.proto.body)
    assert "contributes <b>" in bodies
    assert "via-catalan" not in bodies
    assert "Difference without the most influential" not in [fold.label for fold in at.expander]
    # A score is no gain.
    assert {column for table in at.table for column in table.value.columns} == {"Segments", "Of the score"}
    at.text_input(key="score_first").set_value("50 to 100").run()
    worded(parts(texts(at).replace("*", ""), f"{int((found.scores[0] >= 50).sum())} segments"), "200")
    at.session_state["segments_tab"] = "Words"
    assert not at.run().exception


@pytest.mark.slow
def test_outputs_can_stand_side_by_side():
    at = opened()
    group(at, "layout").set_value("beside").run()
    bodies = [html.proto.body for html in at.get("html")]
    assert sum('<dl class="seg-texts seg-beside">' in body for body in bodies) == 10


@pytest.mark.slow
def test_a_slice_of_the_compare_page_leads_to_its_segments():
    at = at_tab(with_sample(None, **DIRECT), "Subsets")
    names = [part.name for part in slices_of(read_sample(), "length")]
    at.selectbox(key="read_length").select(names[1]).run()
    (link,) = [link for link in at.get("page_link") if link.proto.label == "Read them"]
    asked = dict(parse_qsl(link.proto.query_string))
    assert asked == {**DIRECT, "length": "medium"}
    inside = int(slices_of(read_sample(), "length")[1].inside.sum())
    worded(parts(texts(opened(length=asked["length"])).replace("*", ""), f"{inside} segments"), "200")


def test_an_ngram_leads_to_the_segments_in_which_the_two_differ_in_it():
    at = opened(segments_tab="Words")
    corpus = read_sample()
    row = word_view(corpus, "bleu", "direct", "via-catalan").gained[0]
    group(at, "gained").set_value(0).run()
    assert at.session_state["segments_tab"] == "Cards"
    assert sorted(cards(at)) == sorted(number + 1 for number in row.segments)
    # By their own texts: the two outputs have it, where they have it at all, as words of their own.
    for number in row.segments:
        lines = [corpus.lines(name)[number].split() for name in DIRECT.values()]
        assert any(row.ngram in line for line in lines)


def test_what_carries_the_verdict_is_read_with_one_button():
    at = unfolded(opened(unit="segment"), "leverage")
    (button,) = [button for button in at.button if button.label.startswith("Read these ")]
    (until,) = re.findall(r"significant until (\d+) segments", texts(at))
    assert button.label == f"Read these {until} segments"
    button.click().run()
    worded(parts(texts(at).replace("*", ""), f"{until} segments"), "200")
    found = contributions(measure(read_sample(), "bleu"), "direct", "via-catalan")
    assert cards(at) == (np.argsort(-found.values, kind="stable") + 1)[: min(10, int(until))].tolist()


def test_what_to_do_next_is_to_read_what_makes_half_and_then_to_see_the_verdict():
    at, verdict = opened(), "See the verdict on these two systems"
    found = contributions(measure(read_sample(), "bleu"), "direct", "via-catalan")
    (step,) = [one for one in at.button if one.proto.type == "primary"]
    worded(step.label, f"{found.half} segments")
    assert [one.proto.label for one in at.get("page_link")] == [verdict]
    step.click().run()
    worded(parts(texts(at).replace("*", ""), f"{found.half} segments"), "200")
    assert cards(at) == (found.strongest_first[:10] + 1).tolist()
    assert not [one for one in at.button if one.proto.type == "primary"]
    assert [one.proto.label for one in at.get("page_link")] == [verdict]


def test_a_number_that_the_filters_hide_is_found_in_all_segments():
    at = opened(look_for="#3", length="long", side="second", push="0.1 to 0.2", starred="true")
    worded(parts(texts(at), "No segment fits"))
    next(button for button in at.button if button.label == "Search all segments instead").click().run()
    assert cards(at) == [3]
    assert {"length", "side", "push", "starred"} & set(address(at)) == set()


@pytest.mark.slow
def test_what_was_looked_for_is_forgotten_with_the_data():
    at = unfolded(opened(unit="segment"), "leverage")
    next(button for button in at.button if button.label.startswith("Read these")).click().run()
    at.text_input(key="look_for").set_value("a name").run()
    assert {"push", "look_for"} <= set(address(at))
    at = at_page(at, "data")
    next(button for button in at.button if button.label == "Forget my data").click().run()
    assert not {"push", "look_for", "first", "second"} & set(address(at))
    next(button for button in at.button if button.label == "Open the sample").click().run()
    at = at_page(at, "segments")
    assert "All 200 segments" in texts(at).replace("*", "")
    assert (at.text_input(key="look_for").value, at.text_input(key="push").value) == ("", "")


def test_segments_are_numbered_as_in_the_file_when_references_are_missing():
    made = made_files()
    reference = made["ref.txt"].decode().splitlines()
    some = lines("" if number < 10 else line for number, line in enumerate(reference))
    files = {**made, "ref.txt": some, "ref2.txt": some}
    at = uploaded(files, "segments")
    bodies = [html.proto.body for html in at.get("html")]
    cards = [re.search(r"<b>#([\d,]+)</b>.*?sys0(.*)", body, re.DOTALL) for body in bodies if "<article" in body]
    assert len(cards) == 10
    for card in cards:
        assert card is not None
        number = int(card[1])
        assert number > 10
        words = made["sys0.txt"].decode().splitlines()[number - 1].split()
        shown = re.sub(r"<[^>]+>", "", card[2])
        assert all(word in shown for word in words)


def test_of_scores_alone_no_text_is_spoken_of():
    values = np.random.default_rng(1).normal(size=(2, 40)).round(3)
    table = "".join(
        f"{system}\t{number + 1}\t{value}\n"
        for system, row in zip("AB", values, strict=True)
        for number, value in enumerate(row)
    )
    at = uploaded({"ratings/mqm.tsv": f"system\tsegment\tscore\n{table}".encode()}, "segments")
    assert not at.exception
    assert len(cards(at)) == 10
    shown = " ".join(html.proto.body for html in at.get("html") if "seg-card" in html.proto.body)
    assert not [word for word in (">empty<", "which words it counts", "no text", '"seg-text"') if word in shown]
    assert not at.tabs
    assert not [one for one in at.get("button_group") if one.key in ("marks", "layout")]
    assert at.text_input(key="look_for").placeholder == "#3"


def test_tables_of_words_say_whose_n_grams_they_are_and_what_the_bar_above_does_not_do():
    at = with_sample("segments")
    at.session_state["segments_tab"] = "Words"
    shown = texts(at.run())
    worded(parts(shown, "N-grams that direct", "N-grams that direct-us", "Search and filters"))
