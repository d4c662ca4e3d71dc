"""Sets: how they are read, named and measured, which set each part of files is of, and refusals that name the set."""

import zipfile
from pathlib import Path

import numpy as np
import pytest
from kept import worded
from limited import mtsig
from made import made_corpus
from made_sets import of, packed, rated_corpus, written

from mtsig import Settings
from mtsig.collection import Sets, compare, measure, read_sets
from mtsig.collection._sets import parts_of_files, parts_of_sets
from mtsig.errors import InvalidOption, ReadError, UnknownName
from mtsig.readers import File, assemble
from mtsig.readers._parts import in_role

SETS = ("en-cs", "en-de", "news")


def files_of(seed: int) -> dict[str, bytes]:
    corpus = made_corpus(20, 3, 5, seed=seed)
    texts = {f"systems/{name}.txt": lines for name, lines in corpus.outputs.items()}
    texts |= {"ref.txt": corpus.references["ref0"], "docids.txt": corpus.documents or ()}
    return {name: "".join(f"{line}\n" for line in lines).encode() for name, lines in texts.items()}


def together(above: str = "") -> File:
    files = {f"{above}{name}/{file}": text for i, name in enumerate(SETS) for file, text in files_of(i).items()}
    return File("wmt.zip", packed(files))


def digests(parts: list) -> dict[str, str]:
    names = dict.fromkeys(part.language_pair for part in parts)
    return {name: assemble([part for part in parts if part.language_pair == name]).digest for name in names}


def test_a_zip_of_folders_is_the_sets_that_its_folders_are(tmp_path: Path) -> None:
    for above in ("", "wmt22/"):
        (tmp_path / "wmt.zip").write_bytes(together(above).data)
        read = {name: corpus.digest for name, corpus in read_sets(tmp_path / "wmt.zip").items()}
        assert digests(parts_of_files([together(above)])) == read
        assert tuple(read) == SETS


def test_what_lies_beside_the_folders_of_the_sets_is_named_and_in_none_of_them() -> None:
    files = {f"{name}/{file}": text for i, name in enumerate(SETS) for file, text in files_of(i).items()}
    parts = parts_of_files([File("wmt.zip", packed({"README.md": b"read me\n", "ours.txt": b"x\n", **files}))])
    beside = {part.label: part for part in parts if part.language_pair is None}
    assert set(beside) == {"wmt.zip/README.md", "wmt.zip/ours.txt"}
    for part in beside.values():
        worded((part.role, part.form))
    assert digests([part for part in parts if part not in beside.values()]) == digests(parts_of_files([together()]))


def test_archives_of_one_set_each_are_sets_where_there_are_several() -> None:
    archives = [File(f"{name}.zip", packed(files_of(i))) for i, name in enumerate(SETS)]
    assert digests(parts_of_files(archives)) == digests(parts_of_files([together()]))
    assert {part.language_pair for part in parts_of_files(archives[:1])} == {None}
    # An archive that is no set by itself goes with every one.
    loose = File("more.zip", packed({"mine.txt": b"x\n" * 20}))
    assert {part.language_pair for part in parts_of_files([*archives, loose])} == {*SETS, None}


def test_folders_that_are_no_sets_are_parts_of_one() -> None:
    files = files_of(1)
    one = {name: text for name, text in files.items() if "/" not in name}
    folders = {f"outputs/{name.rpartition('/')[2]}": text for name, text in files.items() if "/" in name}
    parts = parts_of_files([File("set.zip", packed({f"human/{name}": text for name, text in one.items()} | folders))])
    assert {part.language_pair for part in parts} == {None}


def test_paths_give_the_same_parts_and_labels_that_differ(tmp_path: Path) -> None:
    for i, name in enumerate(SETS):
        for file, text in files_of(i).items():
            (tmp_path / name / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / file).write_bytes(text)
    parts = parts_of_sets(tmp_path)
    assert len({part.label for part in parts}) == len(parts)
    assert digests(parts) == digests(parts_of_files([together()]))
    (tmp_path / "empty").mkdir()
    (broken,) = [part for part in parts_of_sets(tmp_path) if part.language_pair == "empty"]
    assert "no system output" in (broken.problem or "")
    with pytest.raises(ReadError, match=r"^empty: "):
        read_sets(tmp_path)


def test_a_part_stays_in_its_set_in_another_role() -> None:
    table = b"system\tseg_id\tmqm\n" + b"".join(b"sys0\t%d\t1\n" % i for i in range(1, 21))
    files = {f"{name}/{file}": text for i, name in enumerate(SETS) for file, text in files_of(i).items()}
    parts = parts_of_files([File("wmt.zip", packed({**files, "news/notes.tsv": table}))])
    (part,) = [one for one in parts if one.label.endswith("notes.tsv")]
    assert {one.language_pair for one in in_role(part.with_role("ignored"), "ratings")} == {"news"}


QUICK = Settings(n_resamples=500)


def test_systems_called_otherwise_are_matched() -> None:
    corpora = {"a": made_corpus(40, 2, 0), "b": made_corpus(40, 3, 0, seed=2)}
    sets = Sets.of(corpora, called={"ours": {"a": "sys1", "b": "sys2"}})
    assert [list(corpus.systems) for corpus in sets.values()] == [["sys0", "ours"], ["sys0", "sys1", "ours"]]
    assert sets["b"].lines("ours") == corpora["b"].lines("sys2")
    with pytest.raises(UnknownName, match="no test set called 'c'"):
        Sets.of(corpora, called={"ours": {"c": "sys1"}})
    with pytest.raises(UnknownName, match="a: there is no system called 'sys7'"):
        Sets.of(corpora, called={"ours": {"a": "sys7"}})
    with pytest.raises(InvalidOption, match="cannot be called 'sys0'"):
        Sets.of(corpora, called={"sys0": {"a": "sys1"}})


def test_sets_without_a_rating_are_told_from_those_that_have_it() -> None:
    scores = np.random.default_rng(1).normal(size=(2, 30))
    sets = {"one": rated_corpus(scores), "two": made_corpus(30, 2, 0), "three": rated_corpus(scores)}
    (name,) = sets["one"].ratings
    with pytest.raises(UnknownName, match=r"two: There is no rating .*: one and three\. .*--only-sets one three;"):
        measure(Sets.of(sets), f"rating:{name}")
    with pytest.raises(UnknownName, match=rf"one: There is no rating called 'f1'\. Known: {name}\.$"):
        measure(Sets.of(sets), "rating:f1")


def test_ratings_need_the_same_direction_in_all_sets() -> None:
    scores = np.random.default_rng(1).normal(size=(2, 30))
    with pytest.raises(InvalidOption, match="lower is better"):
        of({"a": rated_corpus(scores), "b": rated_corpus(scores, higher_is_better=False)})


def test_the_name_of_a_set_chooses_the_tokenizer_and_a_set_may_have_options_of_its_own() -> None:
    corpora = {
        "en-de": made_corpus(30, 2, 0),
        "wmt/en-zh": made_corpus(30, 2, 0, seed=2),
        "zh-en": made_corpus(30, 2, 0),
    }
    found = measure(Sets.of(corpora), "bleu")
    assert [("tok:zh" in one.signature) for one in found.of.values()] == [False, True, False]
    assert "wmt/en-zh: " in found.signature
    own = measure(Sets.of(corpora), "bleu", own={"zh-en": "bleu:tokenize=char"})
    assert "tok:char" in own.of["zh-en"].signature
    with pytest.raises(UnknownName, match="no test set called 'x'"):
        measure(Sets.of(corpora), "bleu", own={"x": "chrf"})
    with pytest.raises(InvalidOption, match="one metric"):
        measure(Sets.of(corpora), "bleu", own={"zh-en": "chrf"})


def test_a_folder_of_folders_is_read_and_an_archive_of_it(tmp_path: Path) -> None:
    root = tmp_path / "several"
    for name in ("en-de", "en-cs"):
        written(root / name)
    (root / "LICENSE").write_text("free\n")
    (root / "README.md").write_text("# Sets\n")
    assert list(read_sets(root)) == ["en-cs", "en-de"]
    for inside in (root, tmp_path):
        with zipfile.ZipFile(tmp_path / "packed.zip", "w") as packed:
            for file in sorted(root.rglob("*")):
                if file.is_file():
                    packed.write(file, str(file.relative_to(inside)))
        found = read_sets(tmp_path / "packed.zip")
        assert list(found) == ["en-cs", "en-de"]
        assert dict(found) == dict(read_sets(root))


def test_sets_are_named_one_by_one_and_places_with_several_give_theirs(tmp_path: Path) -> None:
    root, alone = tmp_path / "several", written(tmp_path / "alone")
    for name in ("x", "y"):
        written(root / name)
    assert list(read_sets([f"ours={alone}", str(alone)])) == ["ours", "alone"]
    assert list(read_sets({"2024": root, "z": alone})) == ["2024/x", "2024/y", "z"]
    with pytest.raises(ReadError, match="Two test sets are called 'alone'"):
        read_sets([alone, f"alone={alone}"])
    with pytest.raises(ReadError, match="No test set"):
        read_sets([])


def test_language_pairs_of_mt_metrics_eval_are_sets(tmp_path: Path) -> None:
    for pair in ("en-de", "en-cs"):
        for place, text in (
            (f"sources/{pair}.txt", "a\nb\n"),
            (f"references/{pair}.refA.txt", "c\nd\n"),
            (f"documents/{pair}.docs", "news\tone\nnews\ttwo\n"),
            (f"system-outputs/{pair}/s.txt", "c\ne\n"),
            (f"system-outputs/{pair}/t.txt", "f\ne\n"),
        ):
            (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / place).write_text(text)
    found = read_sets(tmp_path)
    assert sorted(found) == ["en-cs", "en-de"]
    assert found["en-de"].documents == ("one", "two")
    assert sorted(read_sets([f"wmt={tmp_path}"])) == ["wmt/en-cs", "wmt/en-de"]


def test_a_broken_set_stops_everything_with_its_name_or_is_left_out_and_said(tmp_path: Path) -> None:
    for name in ("good", "worse"):
        written(tmp_path / name)
    (tmp_path / "worse" / "systems" / "s1.txt").write_text("one line\n")
    with pytest.raises(Exception, match=r"^worse: .*has 1 segment,"):
        read_sets(tmp_path)
    found = read_sets(tmp_path, skip_broken=True)
    assert list(found) == ["good"]
    assert "worse" in found.notes[0].text
    statistics = measure(found, "chrf")
    assert compare(statistics, QUICK).notes[0] == found.notes[0]
    with pytest.raises(ReadError, match=r"nowhere: .*no such file"):
        read_sets([f"nowhere={tmp_path}/nowhere"])


@pytest.mark.parametrize("leads", ["round", "to one twice", "down"])
def test_folders_without_end_are_refused_and_links_to_sets_are_read(leads: str, tmp_path: Path) -> None:
    place = tmp_path / "sets"
    for name in SETS:
        written(tmp_path / "elsewhere" / name)
    place.mkdir()
    for name in SETS[1:]:
        (place / name).symlink_to(tmp_path / "elsewhere" / name)
    assert [*read_sets(place)] == [*SETS[1:]]
    said = ", which was read already. Remove one of the two."
    if leads == "down":
        (place / "/".join("d" * 300)).mkdir(parents=True)
        said = "more than 20 folders inside each other."
    elif leads == "to one twice":
        (place / "again").symlink_to(tmp_path / "elsewhere" / SETS[1])
    else:
        for name, number in ((name, number) for name in "abc" for number in range(9)):
            (place / name).mkdir(exist_ok=True)
            (place / name / str(number)).symlink_to(place if number else place / "b")
    done = mtsig("score", "--set", place)
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr[:500]
