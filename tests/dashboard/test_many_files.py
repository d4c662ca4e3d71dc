"""A page lists so much and no more, however many files an archive holds."""

import io
import zipfile

import pytest
from kept import parts, worded
from mtsig_dashboard import compute
from mtsig_dashboard.parts.pictures import MOST_ROWS
from mtsig_dashboard.parts.show import MOST_LISTED
from mtsig_dashboard.state import read_parts
from pages import app, lines, texts
from streamlit.testing.v1 import AppTest

from mtsig.readers import File

FILES = 510


@pytest.fixture(scope="module")
def many() -> AppTest:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number in range(FILES):
            archive.writestr("ref.txt" if not number else f"sys{number}.txt", lines(["a b c"] * 4))
        archive.writestr("broken.txt", b"a line\n\x00\n")
    at = app()
    at.get("file_uploader")[0].set_value([("many.zip", packed.getvalue(), "application/zip")]).run(timeout=120)
    assert not at.exception
    return at


def test_the_table_of_files_is_bounded_and_begins_with_what_is_to_be_mended(many: AppTest) -> None:
    (frame,) = [one.value for one in many.dataframe if "Role" in one.value.columns]
    assert len(frame) == 500
    assert frame.iloc[0]["File"] == "broken.txt"
    worded(parts(texts(many), f"{FILES + 1 - 500} more files", "a problem come"))


def test_files_that_are_not_listed_are_used(many: AppTest) -> None:
    session = many.session_state["session"]
    session.load_parts(
        [part.with_role("ignored") if part.label.endswith("broken.txt") else part for part in session.data.parts]
    )
    many.run(timeout=120)
    worded(parts(texts(many), f"{FILES - 1} systems"))
    assert len(many.text) < 3 * MOST_LISTED
    seen = [list(one.value.columns) for one in many.dataframe if "reference ref" in one.value.columns]
    assert [len(columns) for columns in seen] == [21]
    worded(parts(texts(many), f"{FILES - 1 - 500} more outputs"))


def test_sentences_and_warnings_are_counted_beyond_the_first() -> None:
    def page() -> None:
        from mtsig_dashboard.parts.show import quiet, sentences

        from mtsig.corpus import Note

        said = [f"sentence {number}" for number in range(130)]
        sentences(said)
        quiet([Note("warning", text) for text in said])

    at = AppTest.from_function(page).run()
    assert len(at.text) == 2 * MOST_LISTED
    assert [one.value for one in at.caption] == ["30 more are not listed here."] * 2
    worded(at.expander[0].label, "130")
    assert not at.warning


def test_of_a_long_table_the_first_rows_are_sent() -> None:
    def page() -> None:
        from mtsig_dashboard.parts.pictures import table

        from mtsig.report import Table

        table(Table.of_text("", ("Row",), [(str(number),) for number in range(5_200)]), alt="rows")

    at = AppTest.from_function(page).run()
    assert len(at.dataframe[0].value) == MOST_ROWS
    worded(at.caption[0].value, "5,000 of 5,200")


@pytest.mark.parametrize(("raters", "elsewhere"), [(20, False), (3_000, True)])
def test_ratings_of_many_raters_are_put_together_in_another_process(
    raters: int, elsewhere: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        f"{system}\td\t1\t{number % 30 + 1}\trater{number}\tone\ttwo\tFluency\tMinor"
        for number in range(raters)
        for system in ("A", "B")
    ]
    head = "\t".join(["system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity"])
    parts = read_parts([File("mqm.tsv", lines([head, *rows]))])
    assert len(parts) == (1 if elsewhere else raters)
    asked: list[object] = []
    monkeypatch.setattr(compute, "worked", lambda *work: asked.append(work) or {})
    assert compute.corpora(parts) == {}
    assert bool(asked) is elsewhere
