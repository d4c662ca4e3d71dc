"""Files of several test sets: which set each part is of, and the same pair seen from either side."""

import io
import zipfile
from pathlib import Path

import pytest
from made import made_corpus

from mtsig.collection import Sets, compare, measure, parts_of_files, parts_of_sets, read_sets, seen_from
from mtsig.errors import ReadError
from mtsig.figures import compared_in
from mtsig.readers import File, assemble, in_role

SETS = ("en-cs", "en-de", "news")


def files_of(seed: int) -> dict[str, bytes]:
    corpus = made_corpus(20, 3, 5, seed=seed)
    texts = {f"systems/{name}.txt": lines for name, lines in corpus.outputs.items()}
    texts |= {"ref.txt": corpus.references["ref0"], "docids.txt": corpus.documents or ()}
    return {name: "".join(f"{line}\n" for line in lines).encode() for name, lines in texts.items()}


def packed(files: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return content.getvalue()


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
        assert (part.role, part.form) == ("ignored", "it lies beside the folders of the test sets")
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
    assert "empty holds no system output" in (broken.problem or "")
    with pytest.raises(ReadError, match=r"^empty: "):
        read_sets(tmp_path)


def test_a_part_stays_in_its_set_in_another_role() -> None:
    table = b"system\tseg_id\tmqm\n" + b"".join(b"sys0\t%d\t1\n" % i for i in range(1, 21))
    files = {f"{name}/{file}": text for i, name in enumerate(SETS) for file, text in files_of(i).items()}
    parts = parts_of_files([File("wmt.zip", packed({**files, "news/notes.tsv": table}))])
    (part,) = [one for one in parts if one.label.endswith("notes.tsv")]
    assert {one.language_pair for one in in_role(part.with_role("ignored"), "ratings")} == {"news"}


def test_a_pair_seen_from_the_other_side_changes_its_signs_and_nothing_else() -> None:
    corpora = {f"set{i}": made_corpus(60, 3, 20, seed=i) for i in range(5)}
    found = compare(measure(Sets.of(corpora), "chrf"))
    turned = seen_from(found, "sys1", "sys0")
    assert found.averages is not None
    assert turned.averages is not None
    one, other = (each[each.find("sys0", "sys1")] for each in (found.averages, turned.averages))
    assert (other.first, other.difference, other.ci_low, other.p_adjusted) == (
        "sys1", -one.difference, -one.ci_high, one.p_adjusted,
    )  # fmt: skip
    (beside,) = [each for each in found.described if {each.first, each.second} == {"sys0", "sys1"}]
    (back,) = [each for each in turned.described if {each.first, each.second} == {"sys0", "sys1"}]
    assert back.differences == tuple(-value for value in beside.differences)
    assert (back.first_leads, back.second_leads) == (beside.second_leads, beside.first_leads)
    assert beside.further is not None
    assert back.further is not None
    assert (back.further.mean, back.further.predict_low) == (-beside.further.mean, -beside.further.predict_high)
    for name, comparison in compared_in(turned, "sys1", "sys0").items():
        assert comparison.first == "sys1"
        assert comparison.difference == -compared_in(found, "sys0", "sys1")[name].difference
    assert seen_from(turned, "sys0", "sys1").described == found.described
