"""What the pages say of tests, documents, ranks, power and runs."""

from made import edited_reference
from pages import at_page, group, lines, made_files, texts, uploaded, with_sample

from mtsig.inference import TESTS


def test_the_auditor_holds_every_test_against_the_pair():
    at = at_page(with_sample(unit="segment"), "compare", "audit")
    (table,) = at.table
    assert set(table.value.index) >= {TESTS[name].label for name in ("ar", "ij-t", "bootstrap-rm2005", "sacrebleu-bs")}
    for column in ("p", "Drawing error", "Interval", "It is about", "It assumes", "Why"):
        assert column in table.value.columns
    assert "picking the smallest p is no test" in texts(at)


def test_the_auditor_is_not_computed_while_it_is_closed():
    assert not at_page(with_sample(), "compare").table


def test_documents_and_segments_stand_side_by_side():
    at = at_page(with_sample(), "compare", "audit")
    by_documents = at.table[0].value
    next(one for one in at.get("button_group") if one.key == "audit_unit").set_value("segment").run()
    by_segments = at.table[0].value
    assert "sacreBLEU's paired bootstrap, as printed" in by_segments.index
    assert "sacreBLEU's paired bootstrap, as printed" not in by_documents.index
    label = TESTS["ij-t"].label
    assert by_documents.loc[label, "p"] != by_segments.loc[label, "p"]


def test_the_switch_shows_what_sacrebleu_prints():
    at = at_page(with_sample(), "compare", "audit")
    at.toggle(key="as_sacrebleu").set_value(True).run()
    said = texts(at)
    assert "Baseline: direct-us" in said
    assert "about half of a two-sided p" in said


def test_a_pair_that_is_not_separated_shows_what_could_have_been_found():
    at = at_page(with_sample(first="via-catalan", second="via-galician"), "compare")
    (box,) = at.info
    said = box.value.replace("\\", "")
    assert "A true difference of about 3.65 (2.53 to 6.53) would have been found with 80% power" in said


def test_needed_size_asks_for_a_difference_chosen_beforehand():
    at = at_page(with_sample(first="via-catalan", second="via-galician"), "compare", "planner")
    assert "documents like these** find a true difference of 1 with 80% power" in texts(at)
    assert "not the difference just observed" in at.number_input(key="worth").help
    at.number_input(key="margin").set_value(3.0).run()
    said = texts(at)
    assert "differ by less than 3 BLEU" in said
    assert "chosen after the data were seen: the result is exploratory" in said


def test_dependence_within_documents_is_said():
    assert "design effect" in texts(at_page(with_sample(), "compare"))


def test_without_documents_neighbours_stand_in():
    said = texts(at_page(uploaded(made_files()), "compare"))
    assert "without document ids, blocks of neighbouring segments stand in for documents" in said


def test_ranks_come_from_the_corrected_tests():
    said = texts(at_page(with_sample(), "results"))
    assert "Only direct can be the best" in said
    assert "3–4" in said


def test_drawing_error_is_shown_beside_a_simulated_p():
    assert "95% drawing error" in texts(at_page(with_sample(test="ar", correction="minp"), "compare"))


def test_too_few_draws_for_the_family_are_said_with_the_number_that_would_do():
    said = texts(at_page(with_sample(draws="100", unit="segment"), "results"))
    assert "100 draws may not reach significance in a family of 10: at least 199 are needed" in said


def test_too_near_alpha_is_undecided():
    at = at_page(with_sample(draws="20", unit="segment", first="via-catalan", second="via-esperanto"), "compare")
    assert "Undecided" in at.warning[0].value


def test_runs_of_one_system_are_compared_together():
    made = made_files(systems=4)
    names = {"sys0": "base.run1", "sys1": "base.run2", "sys2": "new.run1", "sys3": "new.run2"}
    files = {f"{new}.txt": made[f"{old}.txt"] for old, new in names.items()} | {"ref.txt": made["ref.txt"]}
    said = texts(at_page(uploaded(files), "results"))
    assert "better by luck" in said
    assert "over 2 and 2 runs" in said


def test_segment_tests_refuse_corpus_metrics_in_words():
    at = at_page(with_sample(test="wilcoxon"), "results")
    assert "sentence-level metric under its own name, such as sentbleu" in at.error[0].value.replace("\\", "")


def test_segment_tests_take_sentence_means():
    at = with_sample(test="wilcoxon", more="sentBLEU", correction="holm")
    group(at, "metric").set_value([]).run()
    at = at_page(at, "results")
    assert "Of 10 comparisons in sentBLEU" in texts(at)


def test_few_documents_are_said():
    made = made_files()
    files = made | {"docids.txt": lines(f"doc{i // 10}" for i in range(40))}
    said = texts(at_page(uploaded(files), "results"))
    assert "Only 4 documents: too few for document-level inference" in said


def test_runs_can_be_told_by_the_visitor():
    made = made_files(systems=4)
    names = {"sys0": "east", "sys1": "west", "sys2": "north", "sys3": "south"}
    at = uploaded({f"{new}.txt": made[f"{old}.txt"] for old, new in names.items()} | {"ref.txt": made["ref.txt"]})
    assert "Several runs of one system?" in [one.label for one in at.expander]
    at.session_state["session"].selection.run_of = {"east": "A", "west": "A", "north": "B", "south": "B"}
    at_page(at, "results")
    said = texts(at)
    assert "over 2 and 2 runs" in said
    assert "best run of each is no test" in said


def test_the_segment_level_result_stands_beside_documents():
    at = with_sample()
    at_page(at, "compare")
    assert "With segments as units, as if sentences of one document were independent" in texts(at)
    at_page(at, "results")
    assert "With segments as units: " in texts(at)
    assert "p, by segments" in texts(at)
    at_page(at, "results")
    assert {"Low, by segments", "High, by segments"} <= set(texts(at).split("\n"))


def test_nothing_stands_beside_segments():
    at = with_sample(unit="segment")
    at_page(at, "compare")
    assert "With segments as units" not in texts(at)
    at_page(at, "results")
    assert "p, by segments" not in texts(at)


def test_the_matrix_shows_the_drawing_error_of_what_was_drawn():
    at = at_page(with_sample(unit="segment"), "results")
    frame = next(one.value for one in at.dataframe if "Corrected p" in one.value)
    assert all(" to " in one for one in frame["Drawing error"])
    alone = at_page(with_sample(unit="segment", test="ij-t", correction="holm"), "results")
    assert "Drawing error" not in next(one.value for one in alone.dataframe if "Corrected p" in one.value)


def test_kin_of_a_reference_is_told_before_any_verdict():
    corpus = edited_reference()
    files = {f"{name}.txt": lines(list(one)) for name, one in corpus.outputs.items()}
    files |= {f"ref{name}.txt": lines([str(line) for line in one]) for name, one in corpus.references.items()}
    at = uploaded(files)
    for page in ("results", "compare"):
        at_page(at, page)
        assert "word for word" in str(at.warning[0].value), page
        assert sum("word for word" in str(one.value) for one in at.warning) == 1, page
