"""The strip of findings: one list on every page, with the same counts, and no warning worded twice."""

from dataclasses import replace

from kept import parts, worded
from made import edited_reference
from mtsig_dashboard.parts.strip import _label, _sentence
from pages import app, at_page, lines, strip_of, texts, uploaded, with_sample
from streamlit.testing.v1 import AppTest

from mtsig import Corpus, Settings, measure
from mtsig._cautions import Seen, findings, is_on_data
from mtsig.doctor import Finding


def everything(at: AppTest) -> str:
    """Return all that a page shows."""
    return "\n".join([texts(at), *(one.label.replace("\\", "") for one in at.expander)])


def files_of(corpus: Corpus) -> dict[str, bytes]:
    files = {f"{name}.txt": lines(list(one)) for name, one in corpus.outputs.items()}
    return files | {f"ref{name}.txt": lines([str(line) for line in one]) for name, one in corpus.references.items()}


def test_a_system_that_overlaps_a_reference_is_evaluated_without_it_or_left_out_at_a_button() -> None:
    corpus = edited_reference()
    alone = Corpus.of(dict(corpus.outputs), {"B": corpus.references["B"]})
    for data, label, left in (
        (corpus, "Evaluate without refB", ([*corpus.systems], ["refA"])),
        (alone, "Leave out kin", ([name for name in corpus.systems if name != "kin"], ["refB"])),
    ):
        at = uploaded(files_of(data), "results", metric="BLEU", n_resamples="200")
        ways = [one for one in at.button if one.label.startswith(("Evaluate without", "Leave out"))]
        assert [one.label for one in ways] == [label]
        ways[0].click().run()
        assert not at.exception
        known = at.session_state["session"].data.corpus
        assert (sorted(known.systems), sorted(known.references)) == tuple(map(sorted, left))
        assert "kin shares lines with" not in everything(at)


def test_every_page_has_the_same_findings_and_words_none_twice():
    corpus = edited_reference()
    at = uploaded(files_of(corpus))
    known = at.session_state["session"].data.corpus
    statistics = measure(known, "bleu")
    settings = Settings()
    seen = Seen(known, (settings.intervals(statistics),), (settings.family(statistics),))
    kin = statistics.kinships[0].kin.system
    other = next(name for name in corpus.outputs if name != kin)
    at.session_state["first"], at.session_state["second"] = kin, other
    of_data = findings(Seen(known))
    assert f"with {sum(one.warns for one in of_data)} warning" in at.title[0].value
    for page in ("results", "paper", "compare", "segments", "planning"):
        drawn = at_page(at, page)
        assert not drawn.exception
        found = findings(seen, None if page in ("results", "paper") else (kin, other))
        warnings = [one for one in found if one.warns]
        label = strip_of(drawn)
        assert f"▲ {len(warnings)} warning" in label, page
        assert f"All {len(found)} finding" in label, page
        assert sum(map(is_on_data, found)) == len(of_data) or page not in ("results", "paper")
        assert warnings[0].headline in label, page
        assert not [box for box in drawn.warning if "shares" in box.value or "word for word" in box.value], page
        said = everything(drawn)
        for one in warnings:
            assert said.count(one.found) == 1, (page, one.found)
        assert said.count("word for word") == 1, page


def test_a_page_of_two_other_systems_has_no_strip_but_a_way_to_the_findings():
    corpus = edited_reference()
    at = uploaded(files_of(corpus))
    kin = measure(corpus, "bleu").kinships[0].kin.system
    first, second = [name for name in corpus.outputs if name != kin][:2]
    at.session_state["first"], at.session_state["second"] = first, second
    at = at_page(at, "compare")
    assert "shares lines" not in everything(at)


def test_without_a_warning_results_has_one_quiet_line_and_compare_none():
    at = with_sample("results")
    assert "✓ No warnings" in strip_of(at)
    # Of these the Data page counts one; the others come from the metric and the test.
    worded(parts(strip_of(at), "All 2 findings"), "1")
    worded(parts(everything(at_page(at, "data")), "All findings"), "1")
    assert not [one for one in with_sample("compare").expander if "Before you quote" in one.label]


def test_the_closed_strip_names_a_headline_once_and_counts_all():
    of_metrics = [Finding("scores", "warning", "certain", "", f"{name} is short.", "") for name in ("BLEU", "chrF2")]
    label = _label([replace(finding, headline="On the scores") for finding in of_metrics], [])
    assert "▲ 2 warnings" in label
    assert label.count("On the scores") == 1


def test_a_finding_on_several_texts_names_the_first_one_too():
    several = Finding("x", "note", "likely", "system 'a'", "lines that are empty: 2 of 9. Also: system 'b' 1.", "")
    worded(_sentence(several), "'a'", "2 of 9", "'b'", "1")
    assert _sentence(replace(several, found="lines that are empty: 2 of 9.")) == "Lines that are empty: 2 of 9."


def test_without_data_a_page_says_what_it_needs_and_two_ways_on():
    at = app("compare")
    assert "No data yet" in texts(at)
    assert "Open the sample" in [one.label for one in at.button]
    assert not at.exception
