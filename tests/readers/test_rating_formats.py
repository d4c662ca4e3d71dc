"""Ratings as people store them: directions declared or known, gaps, raters, names and numbers that do not quite fit."""

import re
from pathlib import Path

import numpy as np
import pytest
from kept import Kept, lacking, worded

from mtsig import Corpus, MtsigError, Rating, measure, read, read_files
from mtsig.corpus import inspect
from mtsig.errors import AlignmentError, NotApplicable, ReadError, UnknownName
from mtsig.readers import File, assemble
from mtsig.readers._rates import RATING_SCALES, direction_of, scale_of
from mtsig.readers._rating_files import named_ratings
from mtsig.readers._read import parts_of

TEXTS = {"ref.txt": "a b\nc\nd e\n", "A.txt": "a b\nc\nd\n", "B.txt": "a\nc\nd e\n"}


def corpus_of(files: dict[str, str], texts: dict[str, str] | None = TEXTS) -> Corpus:
    everything = {**(texts or {}), **files}
    return assemble(parts_of([File(name, text.encode()) for name, text in everything.items()]))


def table(*rows: str) -> str:
    return "".join("\t".join(row.split(" ")) + "\n" for row in rows)


def notes(corpus: Corpus) -> str:
    return "\n".join(note.text for note in inspect(corpus))


# Directions: declared, or known; never guessed.


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("mqm", "MQM"),
        ("ende-MQM-avg", "MQM"),
        ("COMET-22", "COMET"),
        ("wmt22-comet-da", "COMET"),
        ("Unbabel/XCOMET-XL", "COMET"),
        ("CometKiwi-XL", "COMET"),
        ("bleurt-combi-newstestM2020", "BLEURT"),
        ("YiSi-1", "YiSi, UniTE"),
        ("GEMBA-DA", "GEMBA"),
        ("GEMBA-ESA-GPT4.1", "ESA"),
        ("MetricX-24-Hybrid-XL", "MetricX"),
        ("metricx24", "MetricX"),
        ("TER-newstest2020", "TER, HTER, WER, CER, EED"),
        ("hter", "TER, HTER, WER, CER, EED"),
        ("chrF++", "chrF"),
        ("wmt-z", "DA"),
        ("adequacy", "adequacy, fluency"),
    ],
)
def test_known_names(name: str, title: str) -> None:
    scale = scale_of(name)
    assert scale is not None
    assert scale.title == title


@pytest.mark.parametrize(
    "name", ["effort", "score", "my-metric", "comet_error", "neg-bleurt", "terrific", "mqm_rank", ""]
)
def test_a_name_that_says_nothing_certain_is_unknown(name: str) -> None:
    assert scale_of(name) is None


def test_the_table_of_known_names_holds_every_word_once() -> None:
    words = [word for scale in RATING_SCALES for word in scale.words]
    assert len(words) == len(set(words))
    assert {scale.title.split(",")[0] for scale in RATING_SCALES if scale.better == "by sign"} == {
        "MetricX",
        "TER",
    }


@pytest.mark.parametrize(
    ("name", "scores", "higher"),
    [
        ("MetricX-24", [0.0, 3.2, 25.0], False),
        ("MetricX-24", [0.0, -3.2, -25.0], True),
        ("ter", [0.0, 0.4, 1.2], False),
        ("ter", [-0.4, -1.2, 0.0], True),
        ("mqm", [-5.0, 0.0], True),
        ("bartscore", [-3.2, -1.1], True),
    ],
)
def test_errors_stored_with_a_minus_turn_the_direction(name: str, scores: list[float], higher: bool) -> None:
    found, direction_source, doubts = direction_of(name, np.array(scores), None, "f.tsv")
    assert found is higher
    assert direction_source.startswith("known: ")
    assert not doubts


def test_errors_of_both_signs_must_be_declared() -> None:
    with pytest.raises(ReadError, match=r"from -0.4 to 0.2.* ter.higher.tsv"):
        direction_of("ter", np.array([-0.4, 0.2]), None, "f.tsv")
    assert direction_of("ter", np.array([-0.4, 0.2]), "lower", "f.tsv")[0] is False


def test_doubts_are_said(kept: Kept) -> None:
    (doubt,) = direction_of("mqm", np.array([0.0, 5.0, 1.0]), None, "f.tsv")[2]
    assert doubt.level == "warning"
    assert not lacking(doubt.text, "MQM", "below 0", "mqm.higher.tsv or mqm.lower.tsv")
    wide, odd = (direction_of(name, np.array([0.0, most]), None, "f")[2][0].text
                 for name, most in (("ESA", 130.0), ("fluency", 5.0)))  # fmt: skip
    assert not lacking(wide, "0 to 130") + lacking(odd, "adequacy, fluency", "1 to 5")
    declared = direction_of("COMET", np.array([0.2, 0.9]), "lower", "f.tsv")
    assert declared[:2] == (False, "declared")
    kept("readers", doubt.text, wide, odd, declared[2][0].text)


def test_an_unknown_name_is_an_error_that_says_how_to_declare_it(kept: Kept) -> None:
    with pytest.raises(ReadError) as caught:
        corpus_of({"effort.tsv": table("seg_id A B", "1 3 4", "2 3 1", "3 1 1")})
    said = str(caught.value)
    assert not lacking(said, "effort.tsv: ", repr("effort"), "effort.higher.tsv or effort.lower.tsv", "FILE:lower")
    kept("readers", said)
    assert all(scale.title in said for scale in RATING_SCALES)


def test_the_file_can_declare_it_by_its_name() -> None:
    corpus = corpus_of({"effort.lower.tsv": table("seg_id A B", "1 3 4", "2 3 1", "3 1 1")})
    (name,) = corpus.ratings
    assert (name, corpus.ratings[name].higher_is_better, corpus.ratings[name].direction_source) == (
        "effort",
        False,
        "declared",
    )
    scores = measure(corpus, "effort")
    assert scores.metric.higher_is_better is False
    assert scores.scores.tolist() == pytest.approx([7 / 3, 2.0])


# Gaps, right and wrong, words.


@pytest.mark.parametrize("gap", ["", "None", "NaN", "nan", "NA", "n/a", "null", "-"])
def test_every_way_to_write_nothing_is_a_gap(gap: str) -> None:
    corpus = corpus_of({"mqm.csv": f"seg_id,A,B\n1,-1,{gap}\n2,0,-2\n3,{gap},-1\n"})
    np.testing.assert_array_equal(corpus.ratings["mqm"].values, [[-1, 0, np.nan], [np.nan, -2, -1]])


def test_right_and_wrong_are_one_and_zero() -> None:
    corpus = corpus_of({"correct.csv": "seg_id,A,B\n1,correct,wrong\n2,Yes,no\n3,true,\n"})
    np.testing.assert_array_equal(corpus.ratings["correct"].values, [[1, 1, 1], [0, 0, np.nan]])
    assert corpus.ratings["correct"].higher_is_better
    assert measure(corpus, "correct").scores.tolist() == [1.0, 0.0]


def test_a_table_without_numbers_of_segments_goes_by_its_rows() -> None:
    corpus = corpus_of({"mqm.tsv": table("A B", "-1 0", "-2 0", "-3 -1")})
    assert corpus.ratings["mqm"].values.tolist() == [[-1, -2, -3], [0, 0, -1]]


def test_rows_without_numbers_must_be_all_segments() -> None:
    texts = {"ref.txt": "a\nb\nc\n", "A.txt": "a\nb\nc\n", "B.txt": "a\nb\nc\n"}
    with pytest.raises(ReadError, match=r"found 2 rows of scores for 3 segments, but no column gives the segment"):
        corpus_of({"mqm.tsv": table("A B", "-1 0", "-2 0")}, texts)
    kept = corpus_of({"mqm.tsv": table("segment A B", "1 -1 0", "3 -2 0")}, texts).ratings["mqm"].values
    assert np.array_equal(kept, [[-1, np.nan, -2], [0, np.nan, 0]], equal_nan=True)


def test_a_table_of_text_is_no_rating() -> None:
    parts = parts_of([File("texts.tsv", b"ref\tA\na b\ta\nc\tc\n")])
    assert [part.role for part in parts] == ["reference", "system"]


# Several columns, raters, sums.


JUDGED = table(
    "system segment rater adequacy fluency",
    "A 1 J1 5 4", "A 1 J2 4 4", "A 2 J1 3 2", "A 3 J1 2 1", "A 3 J2 4 2",
    "B 1 J1 1 2", "B 1 J2 2 2", "B 2 J1 2 None", "B 3 J1 5 5", "B 3 J2 4 4",
)  # fmt: skip


def test_raters_are_averaged_listed_and_their_sum_is_taken(kept: Kept) -> None:
    corpus = corpus_of({"judged.tsv": JUDGED})
    assert list(corpus.ratings) == [
        "adequacy", "adequacy@J1", "adequacy@J2", "fluency", "fluency@J1", "fluency@J2", "adequacy+fluency",
    ]  # fmt: skip
    values = {name: one.values for name, one in corpus.ratings.items()}
    np.testing.assert_array_equal(values["adequacy"], [[4.5, 3, 3], [1.5, 2, 4.5]])
    np.testing.assert_array_equal(values["adequacy@J2"], [[4, np.nan, 4], [2, np.nan, 4]])
    np.testing.assert_array_equal(values["fluency"], [[4, 2, 1.5], [2, np.nan, 4.5]])
    np.testing.assert_array_equal(values["adequacy+fluency"], [[8.5, 5, 4.5], [3.5, np.nan, 9]])
    assert not lacking(corpus.ratings["adequacy"].rater, "mean", "2 raters")
    assert corpus.ratings["adequacy@J1"].rater == "J1"
    assert not lacking(notes(corpus), "adequacy: ", "2 raters", "1 to 2", "Vogel 2004")
    kept("readers", notes(corpus))


def test_raters_may_come_in_files_of_their_own(tmp_path: Path) -> None:
    for rater, scores in {"J1": "1 2 3", "J2": "3 2 None"}.items():
        rows = [f"{i} {score} 4" for i, score in enumerate(scores.split(), 1)]
        (tmp_path / f"{rater}.tsv").write_text(table("segment A B", *rows))
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    corpus = read_files(
        [tmp_path / "ref.txt"],
        [tmp_path / "A.txt", tmp_path / "B.txt"],
        ratings=[f"adequacy@J1={tmp_path}/J1.tsv", f"adequacy@J2={tmp_path}/J2.tsv"],
    )
    assert corpus.ratings["adequacy"].values.tolist() == [[2, 2, 3], [4, 4, 4]]
    assert set(corpus.ratings) == {"adequacy", "adequacy@J1", "adequacy@J2"}


def test_many_raters_are_averaged_and_not_listed() -> None:
    rows = [f"{system} {i} J{rater} {rater % 5 + 1}" for system in "AB" for i in (1, 2, 3) for rater in range(9)]
    corpus = corpus_of({"judged.tsv": table("system segment rater adequacy", *rows)})
    assert list(corpus.ratings) == ["adequacy"]
    assert "more than 8" in notes(corpus)


def test_columns_that_say_nothing_are_called_after_the_file_too(kept: Kept) -> None:
    corpus = corpus_of({"da.tsv": table("system seg_id raw z n_ratings", "A 1 70 .1 1", "A 2 80 .2 2", "B 3 60 -.4 1")})
    assert list(corpus.ratings) == ["da-raw", "da-z"]
    assert "n_ratings" in notes(corpus)
    numbered = table(" system seg_id z", "0 A 1 .1", "1 A 2 .2", "2 B 1 -.4", "3 B 2 .4")
    worded(notes(corpus_of({"da.tsv": numbered})))
    kept("readers", notes(corpus))


# Names that do not quite fit.


def test_systems_without_text_are_kept_named_and_counted(kept: Kept) -> None:
    corpus = corpus_of({"mqm.tsv": table("seg_id A refA human", "1 0 0 -1", "2 -1 0 0", "3 0 0 0")})
    assert corpus.systems == {"A": ("A",), "B": ("B",), "refA": (), "human": ()}
    assert not lacking(notes(corpus), "2 names", "refA, human.")
    bleu = measure(corpus, "bleu")
    assert bleu.systems == ("A", "B")
    mqm = measure(corpus, "mqm")
    assert mqm.systems == ("A", "refA", "human")
    kept("readers", notes(corpus), *(note.text for note in (*bleu.notes, *mqm.notes)))


def test_names_that_differ_in_spelling_or_submission_number_are_the_same_and_that_is_said(kept: Kept) -> None:
    texts = {"ref.txt": "x\ny\n", "Online-B.txt": "x\ny\n", "NVIDIA-NeMo.txt": "x\nz\n"}
    corpus = corpus_of({"mqm.tsv": table("seg_id Online_B.4 Nemo.3", "1 0 -1", "2 -1 0")}, texts)
    # Nobody but the organisers knows that Nemo.3 is NVIDIA-NeMo.
    assert set(corpus.systems) == {"NVIDIA-NeMo", "Online-B", "Nemo.3"}
    assert not lacking(notes(corpus), "mqm: Online_B.4", "is read as", "Online-B.", "1 name", "Nemo.3.")
    kept("readers", notes(corpus))


def test_a_name_that_could_be_two_stays_apart() -> None:
    texts = {"ref.txt": "x\ny\n", "ref-A.txt": "x\ny\n", "sys.txt": "x\nz\n", "SYS.txt": "y\nz\n"}
    corpus = corpus_of({"mqm.tsv": table("seg_id sys s-y-s", "1 0 -1", "2 -1 0")}, texts)
    assert "s-y-s" in corpus.systems
    assert "is read as" not in notes(corpus)


def test_nothing_that_matches_is_an_error() -> None:
    with pytest.raises(ReadError, match=r"mqm.tsv: mqm is given for X, Y, none of which is a system here \(A, B\)"):
        corpus_of({"mqm.tsv": table("seg_id X Y", "1 0 -1", "2 -1 0", "3 0 0")})


# One clear error for every broken table.


LONG = "system\tsegment\tmqm\nA\t1\t0\nA\t2\t-1\nB\t1\t-1\n"


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("mqm.tsv", LONG + "B\t4\t0\n", r"mqm.tsv, line 5: segment 4, but there are only 3 segments"),
        ("mqm.tsv", LONG + "B\t2.5\t0\n", r"mqm.tsv, line 5: the segment is '2.5'"),
        ("mqm.tsv", LONG + "B\t2\tbad\n", r"mqm.tsv, line 5: the column 'mqm' is 'bad'; expected a number, or an"),
        ("mqm.tsv", LONG + "B\t2\tinf\n", r"mqm.tsv, line 5: the column 'mqm' is 'inf'"),
        ("mqm.tsv", LONG + "A\t2\t-3\n", r"mqm.tsv, line 5: A has a second score for segment 2; the first is on line"),
        ("mqm.tsv", LONG + "B\t2\n", r"mqm.tsv, line 5: found 2 columns, but the header on line 1 has 3"),
        ("mqm.tsv", LONG + "\t2\t0\n", r"mqm.tsv, line 5: the name of the system is empty"),
        ("ratings/mqm.csv", 'seg_id,A,B\n1,0,0\n2,0,"0\n', r"mqm.csv, line \d: not a valid CSV row"),
        ("mqm.tsv", table("seg_id A A", "1 0 0", "2 0 0"), r"mqm.tsv, line 1: the column name 'A' occurs twice"),
        ("mqm.seg.score", "A\t0\nA\t0\nA\t0\nB\t0\n", r"mqm.seg.score, line 4: B has 1 lines, but A has 3"),
        ("mqm.seg.score", "A\t0\nB\t0\nA\t0\nB\t0\n", r"mqm.seg.score, line 3: A begins a second time"),
    ],
)  # fmt: skip
def test_a_broken_table_has_one_clear_error(file: str, text: str, message: str) -> None:
    with pytest.raises(ReadError, match=message):
        corpus_of({file: text})


def test_scores_of_whole_systems_are_refused_where_they_are_named_and_left_alone_in_folders(
    tmp_path: Path, kept: Kept
) -> None:
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "metrics").mkdir()
    (tmp_path / "metrics" / "comet.tsv").write_text("A\t0.5\nB\t0.6\n")
    (tmp_path / "metrics" / "bleu.sys.tsv").write_text("A\t30\nB\t40\n")
    corpus = read(tmp_path)
    assert not corpus.ratings
    assert "metrics/comet.tsv" in notes(corpus)
    kept("readers", notes(corpus))
    assert corpus.system_scores["bleu"].scores == {"A": 30.0, "B": 40.0}
    with pytest.raises(ReadError, match="has one score per system"):
        read(tmp_path, ratings=[tmp_path / "metrics" / "comet.tsv"])


def test_a_file_of_no_known_form_lists_the_forms(kept: Kept) -> None:
    (part,) = named_ratings([Path(__file__)])
    assert part.problem is not None
    assert not lacking(part.problem, Path(__file__).name, "Z.SCR N")
    kept("readers", part.problem)


def test_two_files_with_the_same_scores_are_told_apart(tmp_path: Path) -> None:
    files = {}
    for folder in ("human", "metrics"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mqm.tsv").write_text(LONG)
        files |= {f"{folder}/mqm.tsv": LONG}
    with pytest.raises(
        ReadError, match=r"metrics/mqm.tsv, line 2: this is a second mqm for the same system and segment"
    ):
        corpus_of(files)
    named = assemble(named_ratings([f"first={tmp_path}/human/mqm.tsv:higher", tmp_path / "metrics" / "mqm.tsv"]))
    assert list(named.ratings) == ["first", "mqm"]


# Named one by one.


def test_a_name_picks_a_column_and_a_suffix_declares_the_direction(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text(table("system segment quality effort", "A 1 3 4", "A 2 2 2", "B 1 1 1"))
    parts = named_ratings([f"effort={path}:lower", f"quality={path}:higher"])
    assert [(part.name, part.better) for part in parts] == [("effort", "lower"), ("quality", "higher")]
    with pytest.raises(ReadError, match=r"effort, quality\. Name one of them"):
        named_ratings([f"speed={path}"])
    whole = assemble(named_ratings([f"{path}:higher"]))
    assert list(whole.ratings) == ["quality", "effort"]


def test_a_file_that_is_called_like_a_declaration_is_a_file(tmp_path: Path) -> None:
    odd = tmp_path / "x=mqm.tsv:lower"
    odd.write_text(LONG)
    (part,) = named_ratings([odd])
    assert part.better is None
    assert part.problem is None or "no table" in part.problem


def test_ratings_are_added_to_a_corpus_that_is_read(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    for name, text in TEXTS.items():
        (tmp_path / "set" / name).write_text(text)
    (tmp_path / "x.tsv").write_text(LONG)
    corpus = read(tmp_path / "set", ratings=[f"better={tmp_path}/x.tsv:higher", tmp_path / "x.tsv"])
    assert list(corpus.ratings) == ["better", "mqm"]
    with pytest.raises(ReadError, match="A rating 'mqm' already exists"):
        read(tmp_path / "set", lambda _: corpus, ratings=[tmp_path / "x.tsv"])


# Scores without any text.


def test_scores_alone_make_a_corpus() -> None:
    corpus = corpus_of({"mqm.tsv": LONG}, None)
    assert (len(corpus), corpus.systems, corpus.outputs) == (2, {"A": (), "B": ()}, {})
    with pytest.raises(
        NotApplicable, match=r"BLEU needs text, but the data have none. Choose one of the ratings: mqm."
    ):
        measure(corpus, "bleu")


def test_documents_come_from_the_table_when_nothing_else_has_them() -> None:
    rows = ["d2 1 0 -1", "d2 2 -1 0", "d1 1 0 0"]
    corpus = corpus_of({"mqm.tsv": table("doc_id par_id A B", *rows)}, None)
    assert corpus.documents == ("d2", "d2", "d1")
    assert corpus.ratings["mqm"].values.tolist() == [[0, -1, 0], [-1, 0, 0]]


def test_segments_are_found_by_document_whatever_their_order() -> None:
    texts = {"docids.txt": "d1\nd2\nd2\n", "A.txt": "a\nb\nc\n"}
    rows = ["d2 1 -1", "d2 2 -2", "d1 1 -3"]
    corpus = corpus_of({"mqm.tsv": table("doc_id par_id A", *rows)}, texts)
    assert corpus.ratings["mqm"].values.tolist() == [[-3, -1, -2]]
    with pytest.raises(ReadError, match=r"mqm.tsv, line 5: segment 2 of document 'd1', which has 1"):
        corpus_of({"mqm.tsv": table("doc_id par_id A", *rows, "d1 2 0")}, texts)
    with pytest.raises(ReadError, match=r"mqm.tsv, line 5: the document 'd3' is not among the 2 here"):
        corpus_of({"mqm.tsv": table("doc_id par_id A", *rows, "d3 1 0")}, texts)


def test_wmts_assessments_count_segments_in_the_order_of_sorted_documents() -> None:
    texts = {"docids.txt": "z\nz\na\n", "A.txt": "a\nb\nc\n"}
    da = "SYS SID RAW.SCR Z.SCR N \nA 1 10 .1 1 \nA 3 30 .3 1 \n"
    corpus = corpus_of({"da.csv": da}, texts)
    # Sorted, the one segment of a comes first.
    np.testing.assert_array_equal(corpus.ratings["da-raw"].values, [[np.nan, 30, 10]])
    with pytest.raises(ReadError, match=r"order of sorted documents.* docids\.txt"):
        corpus_of({"da.csv": da}, {"A.txt": "a\nb\nc\n"})


def test_wmt20s_assessments_name_the_document() -> None:
    texts = {"docids.txt": "z.1_b\nz.1_b\na\n", "A.txt": "a\nb\nc\n"}
    corpus = corpus_of({"da.csv": "SYS SID RAW.SCR Z.SCR N \nA z.1_b_1 10 .1 1 \nA a_0 30 .3 1 \n"}, texts)
    np.testing.assert_array_equal(corpus.ratings["da-raw"].values, [[np.nan, 10, 30]])


@pytest.mark.parametrize("first", [0, 1])
def test_esa_counts_a_first_line_that_is_no_segment_or_not(first: int) -> None:
    texts = {"docids.txt": "d1\nd2\nd2\n", "A.txt": "a\nb\nc\n"}
    rows = "".join(f"u,A,{i + first},TGT,eng,deu,{10 * i},{d},False\n" for i, d in enumerate(["d1", "d2", "d2"]))
    corpus = corpus_of({"esa.csv": rows + "u,A,9,BAD,eng,deu,1,d2#bad,False\n"}, texts)
    assert corpus.ratings["esa"].values.tolist() == [[0, 10, 20]]
    assert "BAD (1)" in notes(corpus)
    with pytest.raises(ReadError, match=r"esa.csv, line 1: item 0 belongs to document 'x' in this file and to 'd1' in"):
        corpus_of({"esa.csv": "u,A,0,TGT,eng,deu,1,x,False\n"}, texts)


# Given by hand.


def test_a_rating_of_another_shape_is_refused() -> None:
    with pytest.raises(AlignmentError, match="Rating 'mqm' has shape"):
        Corpus.of({"A": ["x", "y"]}, ratings={"mqm": Rating(np.zeros((2, 2)), True)})


def test_an_unknown_rating_lists_those_there_are() -> None:
    corpus = corpus_of({"mqm.tsv": LONG}, None)
    with pytest.raises(UnknownName, match=r"There is no rating called 'comet'. Known: mqm."):
        measure(corpus, "rating:comet")
    with pytest.raises(UnknownName, match="There is no metric called 'mqmm'"):
        measure(corpus, "mqmm")
    assert measure(corpus, "MQM").scores.tolist() == measure(corpus, "rating:mqm").scores.tolist() == [-0.5, -1.0]


def test_a_metrics_name_means_the_metric_and_rating_the_rating() -> None:
    corpus = corpus_of({"bleu.tsv": LONG.replace("mqm", "bleu")})
    assert measure(corpus, "bleu").metric.name == "BLEU"
    assert measure(corpus, "rating:bleu").scores.tolist() == [-0.5, -1.0]


def test_every_error_is_one_of_ours() -> None:
    for text in ("", "\0", "a", "a\tb", "system\tsegment\tmqm", "\xff", "seg_id\tA\n1\t" + "9" * 400):
        try:
            corpus_of({"ratings/mqm.tsv": text})
        except MtsigError:
            continue


@pytest.mark.parametrize("cell", ["inf", "1_000", "9" * 5000])
def test_a_cell_that_is_no_score_among_scores_is_told(cell: str, tmp_path: Path) -> None:
    file = tmp_path / "people.tsv"
    file.write_text(f"a\tb\n1\t2\n2\t{cell}\n3\t4\n", encoding="utf-8")
    (part,) = named_ratings([file])
    assert part.problem is not None
    worded(part.problem, file, "3", "'b'", "a number", "empty cell")
    assert f": '{cell[:9]}" in part.problem
    assert len(part.problem) < len(str(file)) + 170


MQM = ("system", "doc", "doc_id", "seg_id", "rater", "category", "severity")
ERRORS = [("A", "d1", 1, 1, "r1", "Style", "Major"), ("A", "d1", 2, 2, "r1", "No-error", "No-error"),
          ("B", "d1", 1, 1, "r1", "Style", "Minor"), ("B", "d1", 2, 2, "r1", "Style", "Minor")]  # fmt: skip


@pytest.mark.parametrize("from_zero", [(), (2,), (3,), (2, 3)])
@pytest.mark.parametrize("left_out", [(), (2,), (3,), (4,), (5,), (4, 5)])
@pytest.mark.parametrize("names", [{}, {"rater": "annotator"}, {"doc_id": "docSegId", "seg_id": "globalSegId"}])
def test_errors_are_mqm_whatever_is_left_out_and_counted_from(
    from_zero: tuple[int, ...], left_out: tuple[int, ...], names: dict[str, str], tmp_path: Path
) -> None:
    below = [[cell - 1 if at in from_zero and isinstance(cell, int) else cell for at, cell in enumerate(row)]
             for row in ERRORS]  # fmt: skip
    rows: list[list[object]] = [[*(names.get(name, name) for name in MQM)], *map(list, below)]
    kept = [[str(cell) for at, cell in enumerate(row) if at not in left_out] for row in rows]
    (tmp_path / "mqm.tsv").write_text("".join("\t".join(row) + "\n" for row in kept))
    corpus = assemble(named_ratings([tmp_path / "mqm.tsv"]))
    assert list(corpus.ratings) == ["mqm"]
    assert corpus.ratings["mqm"].values.tolist() == [[-5, 0], [-1, -1]]


@pytest.mark.parametrize("cell", ["84/100", '"0,84"', "84 %", "good"])
@pytest.mark.parametrize("columns", [9, 10, 12])
def test_a_cell_of_appraise_that_is_no_score_is_named(columns: int, cell: str, tmp_path: Path) -> None:
    rest = {9: "1.0,2.0", 10: "d1,1.0,2.0", 12: "d1,False,[],1.0,2.0"}[columns]
    for bad in ({3}, set(range(8))):
        lines = [f"u1,A,{n},TGT,eng,deu,{cell if n in bad else 80 + n},{rest}\n" for n in range(8)]
        (tmp_path / "esa.csv").write_text("".join(lines))
        with pytest.raises(ReadError, match=rf"line {min(bad) + 1}: the score is .{re.escape(cell.strip(chr(34)))}"):
            assemble(named_ratings([tmp_path / "esa.csv"]))


def test_of_dated_rows_the_latest_counts_in_whatever_order(tmp_path: Path) -> None:
    rows = [f"u1,A,{n},TGT,eng,deu,{score},d1,False,[],2024-07-0{day},2024-07-0{day} 10:00:00\n"
            for day, score in ((3, 80), (1, 20), (2, 50)) for n in range(2)]  # fmt: skip
    (tmp_path / "ratings").mkdir()
    (tmp_path / "ratings" / "esa.csv").write_text("".join(rows))
    (tmp_path / "A.txt").write_text("one line\nanother line\n")
    assert read(tmp_path).ratings["esa"].values.tolist() == [[80, 80]]


@pytest.mark.parametrize("columns", [9, 10, 12])
@pytest.mark.parametrize("header", [False, True])
@pytest.mark.parametrize(("first", "last"), [(0, 11), (1, 12), (5, 12), (1, 10), (3, 13), (3, 11)])
def test_items_of_appraise_that_count_from_1_are_called_that(
    first: int, last: int, header: bool, columns: int, tmp_path: Path
) -> None:
    """Twelve segments without documents: item 12 is none of those that count from 0; without item 0, 1 is doubtful."""
    rest = {9: "1.0,2.0", 10: "d1,1.0,2.0", 12: "d1,False,[],1.0,2.0"}[columns]
    rows = [f"u1,A,{n},TGT,eng,deu,{80 + n},{rest}\n" for n in range(first, last + 1)]
    names = "user,system,itemID,type,source,target,score,start,end\n"
    (tmp_path / "ratings").mkdir()
    (tmp_path / "ratings" / "esa.csv").write_text("".join([names * header, *rows]))
    (tmp_path / "A.txt").write_text("".join(f"line {n} of this\n" for n in range(12)))
    if last >= 12:
        said = "none is 0. Do they count from 1" if last == 12 else "item 12, from 0, but there are only 12 segments"
        with pytest.raises(ReadError, match=said):
            read(tmp_path)
        return
    corpus = read(tmp_path)
    assert corpus.ratings["esa"].values[0, first] == 80 + first
    doubted = any("no item is 0, but Appraise counts from 0" in note.text for note in corpus.notes)
    assert doubted == (first == 1)
