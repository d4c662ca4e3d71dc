"""Faults that a reviewer found on the pages once, and that must not come back."""

import re

from pages import app, at_page, comparisons, figures, lines, made_files, marks, texts, uploaded, with_sample

from mtsig import measure, read_sample


def drop(at, files: dict[str, bytes]):
    at.get("file_uploader")[0].set_value([(name, data, "text/plain") for name, data in files.items()]).run()
    return at


def test_one_segment_is_refused_in_words_on_every_page():
    at = uploaded(
        {"a.txt": b"one two three four five\n", "b.txt": b"one two\n", "ref.txt": b"one two three four five\n"}
    )
    for page in ("results", "compare", "planning"):
        at_page(at, page)
        assert "at least 2" in at.error[0].value


def test_a_second_drop_adds_and_keeps_what_was_renamed():
    files = made_files()
    at = uploaded(files)
    parts = at.session_state["session"].data.parts
    at.session_state["session"].data.parts = [
        type(part)(part.label, part.role, "renamed" if part.name == "sys0" else part.name, part.lines, file=part.file)
        for part in parts
    ]
    at_page(at, "results")
    at_page(at, "data")
    docids = {"docids.txt": lines(f"d{i // 2}" for i in range(40))}
    drop(at, docids)
    assert "1 reference · 2 systems · 40 segments · 20 documents" in texts(at)
    assert "renamed" in [part.name for part in at.session_state["session"].data.parts]


def test_own_files_replace_the_sample():
    at = drop(with_sample(), made_files())
    assert "1 reference · 2 systems · 40 segments" in texts(at)


def test_segments_are_numbered_as_in_the_file_when_references_are_missing():
    made = made_files()
    reference = made["ref.txt"].decode().splitlines()
    some = lines("" if number < 10 else line for number, line in enumerate(reference))
    files = {**made, "ref.txt": some, "ref2.txt": some}
    at = at_page(uploaded(files), "segments")
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


def test_uncorrected_marks_are_called_uncorrected():
    at = with_sample("results", correction="none")
    assert "⚠ Not corrected" in marks(at)
    assert "Each of the 10 comparisons errs by itself" in at.warning[0].value
    assert "Corrected p" not in comparisons(at).columns
    hovers = next(trace["hovertext"] for trace in figures(at)[0]["data"] if "customdata" in trace)
    assert all("not corrected" in hover for hover in hovers)


def test_a_level_is_never_rounded_up():
    said = texts(with_sample("results", level="0.975"))
    assert "97.5% interval" in said
    assert "98%" not in said


def test_the_size_sentence_quotes_its_own_curve():
    at = with_sample()
    at.session_state["sizes_tab"] = "Numbers"
    said = texts(at_page(at, "planning"))
    statistics = measure(read_sample(), "bleu")
    assert statistics.n == 200
    half = at.dataframe[-1].value.query("size == 0.5")["half_width"].mean()
    assert f"10 of them give ± {half:.2f}" in said


def test_a_pair_opens_by_its_address_in_a_new_visit():
    for first, second in (("direct-us", "via-galician"), ("direct", "via-esperanto"), ("via-catalan", "direct")):
        at = with_sample("compare", first=first, second=second)
        assert at.selectbox(key="first").value == first
        assert at.selectbox(key="second").value == second


def test_a_win_rate_separates_nothing_on_the_overview():
    said = texts(with_sample("results", test="bootstrap-koehn"))
    assert "gives no p-values, so nothing is separated" in said


def test_the_data_of_the_command_line_have_their_table(monkeypatch):
    monkeypatch.setenv("MTSIG_INPUT", '["--data", "sample_data/es-en"]')
    at = app()
    assert "1 reference · 5 systems" in texts(at)
    assert len(at.session_state["session"].data.parts) == 11


def test_a_link_sets_the_rarer_options_of_a_metric_too():
    at = with_sample("results", **{"bleu.smooth_method": "floor"})
    assert "smooth:floor" in texts(at)
