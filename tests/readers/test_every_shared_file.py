"""Every file and folder of the real data reads, or is refused with the right message; all of them are listed here."""

from collections import Counter
from pathlib import Path

import pytest
from kept import lacking

from mtsig import Corpus, MtsigError, read, read_files
from mtsig.errors import ReadError

LINE_FILE = "is a single text file"
NO_SYSTEM = "contains no system output; found: "
WHOLE_SYSTEMS = NO_SYSTEM + r".*\(scores of whole systems"

READABLE = {
    # path -> systems, segments, references, documents
    "wmt22-en-zh": (13, 2037, 2, 181),
    "wmt21-ru-en": (10, 1000, 2, 107),
    "wmt21-en-de": (20, 1002, 4, None),
    "wmt21-ted-zh-en": (13, 529, 2, 5),
    "wmt22-several/en-cs": (7, 2037, 1, 181),
    "wmt22-several/en-de": (7, 2037, 1, 181),
    "wmt22-several/en-hr": (5, 1671, 1, 263),
    "wmt22-several/en-ja": (7, 2037, 1, 181),
    "wmt22-several/en-ru": (7, 2037, 1, 181),
    "wmt22-several/en-uk": (5, 2037, 1, 181),
    "wmt22-several/en-zh": (7, 2037, 1, 181),
    "mtme": (10, 1000, 2, 107),
    "mtme/wmt21.news": (10, 1000, 2, 107),
    "mtme/wmt21.news/system-outputs/ru-en": (10, 1000, 2, 107),
    "wmt-xml": (10, 1000, 2, 107),
    "wmt-xml/newstest2021.ru-en.all.xml": (10, 1000, 2, 107),
    "sgm/wmt21-ted-zh-en": (2, 529, 2, 5),
    "sgm/wmt21-ted-zh-en/NiuTrans.sgm": (1, 529, 0, 5),
    "sgm/wmt21-ted-zh-en/Online-W.sgm": (1, 529, 0, 5),
    "multeval-example": (6, 2489, 1, None),
    "pitfalls": (1, 1723, 1, None),
    "pitfalls/wmt23.ru-en.hyp.PROMT.en": (1, 1723, 0, None),
    "wmt25-ja-zh": (2, 334, 0, 106),
    "wmt25-ja-zh/systems-jsonl": (2, 334, 0, 106),
    "wmt25-ja-zh/systems-jsonl/In2x.jsonl": (1, 334, 0, 106),
    "wmt25-ja-zh/systems-jsonl/Algharb.jsonl": (1, 334, 0, 106),
    "wmt20-en-de-scores": (0, 1418, 0, 130),
}

RATINGS = {
    # pattern of paths -> systems that are rated, segments; the file says by itself which segments there are
    "mtme/*/human-scores/*.seg.score": (10, 1000),
    "mtme/*/metric-scores/*/*.seg.score": (11, 1000),
    "wmt20-en-de-scores/human/mqm.seg.tsv": (10, 1418),
    "wmt20-en-de-scores/human/raw/ad-seg-scores*.csv": (1, 577),
    "wmt20-en-de-scores/metrics/bleurt*.tsv": (17, 1418),
    "wmt20-en-de-scores/metrics/*.seg.tsv": (16, 1418),
    "wmt20-en-de-scores/metrics/raw-sample/Yisi*.score": (16, 122),
    "wmt20-en-de-scores/metrics/raw-sample/bleurt*.score": (17, 18),
    "wmt21-en-de/human/mqm.seg.tsv": (17, 1002),
    "wmt21-ru-en/human/da.seg.tsv": (11, 1000),
    "wmt21-ted-zh-en/human/mqm.seg.tsv": (15, 529),
    "wmt21-ted-zh-en/human/raw/mqm*.tsv": (6, 529),
    "wmt25-ja-zh/metrics/*.seg.tsv": (41, 334),
    "wmt25-ja-zh/metrics/raw/*.jsonl": (1, 334),
}

REFUSED = {
    # pattern of paths -> what is said
    "*/README.md": NO_SYSTEM,
    "*/LICENSE*": NO_SYSTEM,
    "*/*/LICENSE*": NO_SYSTEM,
    "*/*/README.md": NO_SYSTEM,
    "*/*/COPYING": NO_SYSTEM,
    "compare-mt/*.eng": LINE_FILE,
    "compare-mt/*.slk": LINE_FILE,
    "multeval-example/*": LINE_FILE,
    "pitfalls/*.refA.en": NO_SYSTEM,
    "*/source.txt": LINE_FILE,
    "*/docids*.txt": LINE_FILE,
    "*/domains.txt": LINE_FILE,
    "*/segids.txt": LINE_FILE,
    "*/refs/*.txt": LINE_FILE,
    "*/systems/*.txt": LINE_FILE,
    "mtme/*/references/*": LINE_FILE,
    "mtme/*/sources/*": LINE_FILE,
    "mtme/*/system-outputs/*/*": LINE_FILE,
    "mtme/*/documents/*": LINE_FILE,
    "mtme/*/*-scores/*.sys.score": WHOLE_SYSTEMS,
    "mtme/*/*-scores/*/*.sys.score": WHOLE_SYSTEMS,
    "sgm/*/*ref*.sgm": NO_SYSTEM + ".*reference",
    "sgm/*/*src*.sgm": NO_SYSTEM + ".*source",
    "*/segments.tsv": NO_SYSTEM,
    "*/metrics/*.sys.tsv": WHOLE_SYSTEMS,
    "wmt21-ru-en/human/raw/ad-seg-scores*.csv": "does not show which segments exist",
    "*/human/raw/ad*.csv": "only one column, .* If its columns are delimited",
    # Folders that hold no test set, or several.
    "wmt22-several": "These files contain 7 language pairs: en-cs, en-de",
    "sgm": NO_SYSTEM + ".*moses-ems-example/, wmt21-ted-zh-en/",
    "sgm/moses-ems-example": NO_SYSTEM + ".*reference 'ref'",
    "compare-mt": "has 2000 segments, but .* has 2445",
}  # fmt: skip
"""The first pattern that fits a path is meant."""


def data(shared: Path) -> Path:
    return shared / "data"


def paths_of(shared: Path) -> list[str]:
    # What these hold is made to be refused, or is not read yet.
    apart = {"attacks", "cases", "preferences"}
    found = (one for one in sorted(data(shared).rglob("*")) if one.is_file())
    files = [at.as_posix() for one in found if (at := one.relative_to(data(shared))).parts[0] not in apart]
    return [*files, *(one for one in [*READABLE, *REFUSED] if (data(shared) / one).is_dir())]


def expected_refusal(path: str) -> str | None:
    return next((said for pattern, said in REFUSED.items() if Path(path).match(pattern)), None)


@pytest.mark.parametrize("most", [1, pytest.param(1000, marks=pytest.mark.slow)])
def test_every_file_reads_or_is_refused_with_the_right_message(most: int, shared: Path) -> None:
    """Of files of one ending in one folder, so many; all of them are behind `slow`."""
    wrong, taken = [], Counter[tuple[Path, str]]()
    for path in dict.fromkeys(paths_of(shared)):
        kind = (Path(path).parent, Path(path).suffix)
        taken[kind] += 1
        if taken[kind] > most and path not in READABLE:
            continue
        try:
            corpus = read(data(shared) / path)
        except MtsigError as error:
            said = expected_refusal(path)
            if path in READABLE or said is None:
                wrong.append(f"{path} is refused: {error}")
            else:
                with pytest.raises(MtsigError, match=said):
                    raise error from None
            continue
        found = (len(corpus.outputs), len(corpus), len(corpus.references), corpus.n_documents)
        rated = next((rated for pattern, rated in RATINGS.items() if Path(path).match(pattern)), None)
        if READABLE.get(path) != found and rated != (len(corpus.systems), len(corpus)):
            wrong.append(f"{path} reads as {found}, expected {READABLE.get(path)} or ratings of {rated}")
    assert wrong == []


def same(first: Corpus, second: Corpus, systems: list[str]) -> None:
    for name in systems:
        assert first.lines(name) == second.lines(name)
    assert first.references == {name: second.references[name] for name in first.references}
    assert first.documents == second.documents
    assert first.segments.sources == second.segments.sources


def test_the_official_xml_is_the_set_of_line_files(shared: Path) -> None:
    xml, folder = read(data(shared) / "wmt-xml"), read(data(shared) / "wmt21-ru-en")
    assert set(xml.outputs) == set(folder.outputs)
    same(xml, folder, list(xml.systems))
    assert set(xml.segments.original_languages or ()) == {"ru"}
    (note,) = [note.text for note in xml.notes if "test suite" in note.text]
    assert not lacking(note, "1 documents", "159 segments")


def test_mt_metrics_evals_folder_is_the_set_of_line_files(shared: Path) -> None:
    folder = read(data(shared) / "wmt21-ru-en")
    mtme = read(data(shared) / "mtme" / "wmt21.news")
    assert list(mtme.outputs) == list(folder.outputs)
    same(mtme, folder, list(mtme.outputs))
    assert list(mtme.ratings) == ["wmt-raw", "wmt-z", "BLEU-refA", "chrF-refA"]
    assert set(mtme.segments.domains or ()) == {"news"}


def test_sgm_is_the_set_of_line_files_with_spaces_at_the_ends_gone(shared: Path) -> None:
    sgm, folder = read(data(shared) / "sgm" / "wmt21-ted-zh-en"), read(data(shared) / "wmt21-ted-zh-en")
    assert list(sgm.systems) == ["NiuTrans", "Online-W"]
    for name in sgm.systems:
        assert list(sgm.lines(name)) == [line.strip(" \t") for line in folder.lines(name)]
    for name, lines in sgm.references.items():
        assert list(lines) == [(line or "").strip(" \t") for line in folder.references[name]]
    assert sgm.documents == folder.documents


def test_a_reference_of_real_sgml_is_joined_with_its_source_by_documents(shared: Path) -> None:
    place = data(shared) / "sgm" / "moses-ems-example"
    with pytest.raises(ReadError, match="contains no system output"):
        read(place)
    corpus = read_files([place / "test-ref.en.sgm"], {"copy": place / "test-ref.en.sgm"}, place / "test-src.fr.sgm")
    assert len(corpus) == 85
    assert corpus.lines("copy") == corpus.references["ref"]
    assert not any(line.startswith(" ") for line in corpus.lines("copy"))
    assert corpus.n_documents == len(set(corpus.documents or ()))


def test_documents_of_wmt25_are_split_into_the_paragraphs_that_were_scored(shared: Path) -> None:
    place = data(shared) / "wmt25-ja-zh"
    corpus = read(place)
    scored = [line.split("\t") for line in (place / "segments.tsv").read_text(encoding="utf-8").split("\n")[1:] if line]
    assert list(corpus.segments.domains or ()) == [domain for _, _, domain in scored]
    # Ids differ between the two kinds of file for speech only.
    ours = [
        name
        for name, domain in zip(corpus.documents or (), corpus.segments.domains or (), strict=True)
        if domain != "speech"
    ]
    assert ours == [name for name, _, domain in scored if domain != "speech"]
    assert any("\n" in line for line in corpus.lines("In2x"))
