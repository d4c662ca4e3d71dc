"""Tables on pages: numbers that can be sorted, printed as everywhere else."""

from io import BytesIO

import pyarrow as pa
import pytest
from kept import parts, worded
from mtsig_dashboard.parts import pictures
from pages import made_files, texts, uploaded
from streamlit.testing.v1 import AppTest

import mtsig


def page() -> None:
    from mtsig_dashboard.parts import pictures

    from mtsig.report import Column, Table

    table = Table.of(
        "",
        (Column("system"), ["a-b", "c"]),
        (Column("n", "count"), [1200, 3]),
        (Column("Δ", "difference"), [-0.4567, 0.5]),
        (Column("p", "p"), [0.00001, float("nan")]),
        (Column("share", "share"), [0.25, None]),
    )
    pictures.table(table, alt="A table")


def test_numbers_stay_numbers_and_are_printed_with_signs_and_never_as_zero() -> None:
    at = AppTest.from_function(page, default_timeout=300).run()
    assert not at.exception
    (element,) = at.dataframe
    assert element.value["Δ"].tolist() == [-0.4567, 0.5]
    assert element.value["p"][0] == 0.00001
    printed = pa.ipc.open_stream(BytesIO(element.proto.arrow_data.styler.display_values)).read_pandas()
    rows = [[str(cell) for cell in row] for row in printed.values.tolist()]
    assert rows == [["a-b", "1,200", "−0.46", "< .0001", "25.0%"], ["c", "3", "+0.50", "no p", ""]]


def test_one_comparison_is_not_spoken_of_as_many():
    at = uploaded(made_files(systems=2), "results")
    said = texts(at) + "".join(one.proto.body for one in at.get("html"))
    worded(parts(said.replace("\\", ""), "sys0 scores 19.8", "One comparison"), "19.8 BLEU", "95% CI", "BLEU")
    for words in ("the next best", "1 of 1", "Of 1 comparison", "Adjusted p"):
        assert words not in said.replace("\\", ""), words
    worded(next(one.label for one in at.button))


def test_one_comparison_has_no_corrected_p():
    for systems, columns in ((2, 0), (3, 1)):
        at = uploaded(made_files(systems=systems), "results")
        found = [frame.value for frame in at.dataframe if "Verdict" in frame.value.columns]
        assert found
        assert sum("Adjusted p" in frame.columns for frame in found) == columns


@pytest.mark.parametrize(
    ("test", "title", "cell"), [("auto", "Adjusted p", ".0001"), ("bootstrap-koehn", "Bootstrap win rate", "100.0%")]
)
def test_what_decides_stands_beside_every_verdict(test: str, title: str, cell: str) -> None:
    family = mtsig.Settings(test=test, n_resamples=500).family(mtsig.measure(mtsig.read_sample(), "chrf"))
    shown = pictures.narrow_comparisons(family)
    assert f'<th scope="col">{title}</th>' in shown
    assert f"<td>{cell}</td>" in shown
    assert "<td></td>" not in shown
