"""Errors of the Data page: each offers a way on, and what is offered leads to results."""

import io
import zipfile

from kept import parts, worded
from mtsig_dashboard.state import Data, as_chosen
from pages import app, at_page, lines, made_files, texts, uploaded
from sampled import sampled
from streamlit.testing.v1 import AppTest

from mtsig.readers import File
from mtsig.readers._read import parts_of

_TEXTS = made_files()
_SHORT = lines(_TEXTS["sys0.txt"].decode().splitlines()[:-3])


def _sets(**files: dict[str, bytes]) -> dict[str, bytes]:
    """Return an archive of test sets, which are called by their languages."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for pair, texts in files.items():
            for name, data in texts.items():
                folder = "systems/" if name.startswith("sys") else "refs/"
                archive.writestr(f"{pair.replace('_', '-')}/{folder}{name}", data)
    return {"sets.zip": content.getvalue()}


KINDS: dict[str, tuple[dict[str, bytes], str]] = {
    "a file of another length": ({**_TEXTS, "more.txt": _SHORT}, "more.txt"),
    "two references, one of another length": ({**_TEXTS, "ref2.txt": _SHORT}, "ref2.txt"),
    "an archive that is none": ({**_TEXTS, "more.zip": b"no archive"}, "more.zip"),
    "a text in no known encoding": ({**_TEXTS, "more.txt": b"\xff\xfe\xfd" * 41}, "more.txt"),
    "an empty file": ({**_TEXTS, "more.txt": b""}, "more.txt"),
    "ratings of segments that there are not": (
        {**_TEXTS, "mqm.tsv": b"system\tsegment\tmqm\nsys0\t1\t0\nsys0\t4000\t-5\n"},
        "mqm.tsv",
    ),
    "document ids of another length": ({**_TEXTS, "docids.txt": b"one\ntwo\n"}, "docids.txt"),
}
"""Files that make no test set together, and the one without which the others do."""


def errors(at: AppTest) -> list[str]:
    return [str(one.value).replace("\\", "") for one in at.error]


def way_on(at: AppTest, without: str):
    labels = {button.label.replace("\\", ""): button for button in at.button}
    assert f"Continue without {without}" in labels, (list(labels), errors(at))
    return labels[f"Continue without {without}"]


@sampled("kind", KINDS, most=4)
def test_every_error_offers_to_continue_without_the_file_that_it_is_about(kind: str) -> None:
    files, wrong = KINDS[kind]
    at = uploaded(files)
    assert wrong in " ".join(errors(at))
    way_on(at, wrong).click().run()
    assert not at.exception
    assert errors(at) == []
    corpus = at.session_state["session"].data.corpus
    assert list(corpus.systems) == ["sys0", "sys1"]
    assert len(corpus) == 40
    # What was left out is still there, with its role to be given back.
    assert wrong in at.session_state["session"].data.dropped
    assert errors(at_page(at, "results")) == []


def test_other_pages_offer_the_same_and_what_is_not_enough_can_be_begun_again() -> None:
    at = uploaded(KINDS["an empty file"][0], "results")
    assert "more.txt" in " ".join(errors(at))
    way_on(at, "more.txt").click().run()
    assert errors(at) == []
    # Nothing that could be left out makes a reference alone a test set.
    at = uploaded({"ref.txt": _TEXTS["ref.txt"]})
    assert len(errors(at)) == 1
    assert not [button for button in at.button if button.label.startswith("Continue without")]
    next(button for button in at.button if button.label == "Start again without files").click().run()
    assert "Open the sample" in [button.label for button in at.button]


def test_a_test_set_that_cannot_be_read_is_left_for_another() -> None:
    bad = {**_TEXTS, "sys1.txt": _SHORT}
    at = uploaded(_sets(en_de=_TEXTS, en_fr=bad))
    visit = at.session_state["session"]
    assert visit.data.set_name == "en-de"
    at = at_page(at, "results")
    next(one for one in at.selectbox if one.label == "Test set").set_value("en-fr").run()
    assert "sys1" in " ".join(errors(at))
    way_on(at, "the set en-fr").click().run()
    assert errors(at) == []
    assert visit.data.set_name == "en-de"


def test_files_that_the_browser_did_not_take_are_named_until_they_are_there() -> None:
    at = uploaded(_TEXTS)
    refused = at.session_state["session"].view.refused
    refused |= {"big[1].txt": "Error: File must be 100.0MB or smaller."}
    worded(parts(texts(at.run()), "big[1].txt was", "The results do"), "100.0MB")
    next(button for button in at.button if button.label == "Continue without it").click().run()
    assert "was not loaded" not in texts(at)
    refused |= {"ref.txt": ""}
    assert "was not loaded" not in texts(at.run())


def test_texts_in_utf16_with_their_mark_are_read() -> None:
    at = uploaded({name: data.decode().encode("utf-16") for name, data in _TEXTS.items()})
    assert errors(at) == []
    plain = uploaded(_TEXTS).session_state["session"].data.corpus
    assert at.session_state["session"].data.corpus.digest == plain.digest


_ROWS = "system,segment,score\nsys0,1,5\n"
REFUSED: dict[str, str | bytes] = {
    "x.txt.bz2": b"BZh91AY&SY\0", "x.xlf": "<xliff version='1.2'>", "x.docx": b"PK\3\4", "x.rtf": "{\\rtf1 a}",
    "x.po": "msgid", "x.xml": "<doc><seg>", "x.sgm": "<tstset><seg>x", "x.txt.gz": b"\x1f\x8bzz",
    "systems/x.json": "[" * 5000,
    "web.txt": "<html>\n<body>\n", "subtitles.txt": "1\n00:00:01,000 --> 00:00:02,000\nhi\n",
    "zero.txt": b"a\0b\n" * 40,
    "latin.txt": "é\n".encode("latin-1") * 40, "mac.txt": "a\rb\r" * 20, "two.txt": "one text\tand two\n" * 40,
    "framed.txt": "".join(f"{i}\ta text\n" for i in range(39)) + "no frame\n", "parses/sys0.conllu": "1\ta\n",
    "parses/other.conllu": "# text = a\n1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n", "docids.txt": "a\n\n" * 20,
    "mine.csv": _ROWS, "esa.csv": _ROWS + "sys0,1,6\n", "da.csv": _ROWS.replace("sys0", "other"),
    "mqm.csv": _ROWS.replace("\n", ",lp\n", 1).replace(",5", ",5,en-de") + "sys0,2,5,en-fr\n",
    "ratings/comet.txt": "0.5\n" * 40,
    "ratings/esa.csv": "system,segment,score,mt\n" + "".join(f"sys0,{i + 1},{i},quite another\n" for i in range(40)),
}  # fmt: skip


def test_every_kind_of_refusal_has_a_way_on_that_leads_to_a_test_set() -> None:
    for name, content in REFUSED.items():
        files = {**_TEXTS, name: content.encode() if isinstance(content, str) else content}
        data = Data()
        data.assemble(parts_of([File(label, held) for label, held in files.items()]), lambda _: {})
        assert name in (data.problem or ""), name
        assert name in [way.what for way in data.ways_on], name
        without = Data()
        without.assemble(data.without(data.ways_on[0].labels), lambda _: {})
        assert (without.problem, without.scorable) == (None, True), name


def test_every_damaged_file_is_named_and_all_are_left_out_at_once() -> None:
    broken, table = b"caf\xe9\xff\n" * 40, b"no workbook"
    for whole, files in enumerate((
        {"ours.txt": broken, "ref.txt": _TEXTS["ref.txt"], "t.xlsx": table},
        {**_TEXTS, "ours.txt": broken, "t.xlsx": table},
    )):  # fmt: skip
        data = Data()
        data.assemble(parts_of([File(label, held) for label, held in files.items()]), lambda _: {})
        told = (data.problem or "").splitlines()
        assert [line.split(" ")[0] for line in told] == ["ours.txt", "t.xlsx"]
        assert [way.what for way in data.ways_on] == ["these 2 files"]
        data.assemble(data.without(data.ways_on[0].labels), lambda _: {})
        # Without a system left, the page asks for one, and names the damaged files no more.
        assert data.problem is None if whole else "There is no system output" in (data.problem or "")
        kept = {part["label"]: part for part in data.choices["parts"]}  # type: ignore[attr-defined]
        again = [
            part for old in parts_of([*map(File, files, files.values())]) for part in as_chosen(old, kept[old.label])
        ]
        reloaded = Data()
        reloaded.assemble(again, lambda _: {})
        assert reloaded.problem == data.problem


def test_no_data_are_no_error() -> None:
    assert errors(app()) == []
