"""What the four papers print: arithmetic and theory, without any data."""

import numpy as np
import pytest
from golden.papers import printed
from kept import lacking
from made import ROOT

from mtsig.lab import PAPERS
from mtsig.lab._callison2006 import arithmetic, correlations, phrases, scales
from mtsig.lab._exhibit import Exhibit, Reproduction, exhibit_tables, heading, markdown, reproduction_bundle
from mtsig.lab._koehn2004 import SETS, MeanInterval, figure_five, t_factors, thirty_of_a_hundred
from mtsig.lab._riezler2005 import figure_two, section_four_four, table_two_by_theory
from mtsig.lab._zhang2004 import constants, table_six_by_theory
from mtsig.lab._zhang2004 import table_two_by_theory as widths_by_theory


def ours(found: Exhibit) -> list[str]:
    return [row["ours"] for row in found.rows]


def test_t_factors_come_out_but_for_three_last_digits() -> None:
    found = t_factors()
    assert found.holds
    known = printed("koehn")["table2_df=n"]
    expected = [f"{x:.4f}" for x in (*known["0.99"], *known["0.95"][:3], *known["0.9"][:3])]
    assert ours(found) == expected
    notes = {row["printed"]: (row["ours"], row["note"]) for row in found.rows if row["note"]}
    assert notes == {
        "2.5841": ("2.5840", "last digit"),
        "2.5759": ("2.5758", "last digit"),
        "1.9849": ("1.9840", "a misprint"),
    }
    right = [row["with n − 1"] for row in found.rows if row["n"] != "infinite"]
    known = printed("koehn")["table2_df=n-1"]
    assert right == [f"{x:.4f}" for level in ("0.99", "0.95", "0.9") for x in known[level]]


def test_thirty_of_a_hundred() -> None:
    found = thirty_of_a_hundred()
    assert ours(found) == ["0.209", "0.391"]
    assert "0.219 to 0.396" in found.says


def test_student_s_interval_holds_95_per_cent_of_the_curve() -> None:
    found = figure_five()
    assert (ours(found), found.holds) == (["0.95"], True)
    # The same ends as the interval of 30 right of 100.
    curve = found.result
    assert isinstance(curve, MeanInterval)
    assert [f"{curve.low:.3f}", f"{curve.high:.3f}"] == ours(thirty_of_a_hundred())
    assert np.trapezoid(curve.density, curve.x) == pytest.approx(1, abs=1e-3)
    assert [(row["value"], row["adequacy"]) for row in scales().rows][::4] == [(5, "all"), (1, "none")]


def test_nine_pairs_make_4140_conclusions() -> None:
    assert 9 * sum(SETS) == printed("koehn")["table4_total"] == 4140


def test_experiment_wise_error() -> None:
    assert ours(section_four_four()) == ["0.9954", "0.0728"]
    assert section_four_four().holds


def test_the_bootstrap_column_follows_from_the_one_by_randomization() -> None:
    assert ours(table_two_by_theory()) == ["0.0146", "0.0122", "0.0239", "0.0369", "0.0137"]
    rates = [row["true error rate of Figure 2"] for row in figure_two().rows]
    assert rates == ["0.246", "0.110", "0.031", "0.020"]
    assert figure_two().holds is False


def test_constants_of_zhang_and_vogel() -> None:
    assert ours(constants()) == ["−4.216", "29.3"]
    # The share by which twice the data narrow an interval.
    assert printed("zhang_vogel")["doubling_narrows"] == pytest.approx(0.293, abs=5e-4)


def test_widths_follow_the_square_root_law() -> None:
    known = printed("zhang_vogel")["table2_sqrt_n_prediction_from_100%"]
    by_metric: dict[str, list[float]] = {}
    for row in widths_by_theory().rows:
        by_metric.setdefault(row["metric"], []).append(float(row["ours"]))
    assert by_metric["NIST"] == known["NIST"]
    # The oracle starts from 4.38, this table from the printed 4.4.
    assert by_metric["BLEU"] == pytest.approx(known["BLEU"], rel=0.006)


def test_table_six_within_a_unit_of_its_last_digit() -> None:
    found = table_six_by_theory()
    assert found.holds
    for row in found.rows:
        # Within .0002 for M-BLEU.
        within = 0.0002 if row["metric"] == "M-BLEU" else 0.0001
        assert abs(float(row["ours"]) - float(row["printed"])) <= within + 1e-12


def test_the_example_of_callison_burch() -> None:
    assert ours(arithmetic()) == ["0.83", "0.59", "0.31", "0.20"]
    for score in ("41.84", "40.05", "42.01"):
        assert score in arithmetic().says
    assert ours(phrases()) == ["40320", "73"]


def test_correlations_of_seven_systems() -> None:
    rows = {row["what"]: row for row in correlations().rows}
    one, without = rows["adequacy"], rows["adequacy, without the outlier"]
    assert (one["r"], one["95% interval"], one["p"]) == (0.374, "−0.53 to 0.88", "0.408")
    assert (without["r"], without["95% interval"], without["p"]) == (0.933, "0.50 to 0.99", "0.007")
    known = printed("callison_burch")
    assert rows["fluency"]["r"] == pytest.approx(known["fluency_R2_.002_n7"]["r"], abs=5e-4)
    (fluency,) = [row for what, row in rows.items() if what.startswith("fluency, ")]
    assert float(fluency["p"]) == pytest.approx(known["fluency_R2_.742_n6"]["p"], abs=5e-4)


@pytest.fixture
def small() -> Reproduction:
    return Reproduction("koehn2004", PAPERS["koehn2004"].citation, "nothing", (t_factors(), thirty_of_a_hundred()))


def test_every_printed_number_is_listed_with_its_kind(small: Reproduction) -> None:
    rows = small.rows()
    assert len(rows) == 12
    assert rows[4] == {
        "paper": "koehn2004", "exhibit": "Table 2", "kind": "exact", "what": "95%, 100, 1.9842", "printed": "1.9849",
        "ours": "1.9840", "note": "a misprint",
    }  # fmt: skip


def test_a_reproduction_reads_as_tables_markdown_and_json(small: Reproduction) -> None:
    tables = exhibit_tables(small)
    assert not lacking(tables[0].caption, "Table 2: ", "reproduced; holds)")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in markdown(small).splitlines()]
    assert ["level", "n", "printed", "ours", "note", "with n − 1"] in rows
    assert ["95%", "100", "1.9849", "1.9840", "a misprint", "1.9842"] in rows
    bundle = reproduction_bundle(small)
    assert [one["label"] for one in bundle["exhibits"]] == ["Table 2", "Section 4"]
    assert len(bundle["printed"]) == 12


def test_what_no_data_here_decide_says_which_would() -> None:
    """Whatever is printed without a verdict, on the page of the results as in the program."""
    page = (ROOT / "docs" / "reproductions.md").read_text(encoding="utf-8")
    open_ones = [line for line in page.splitlines() if "no verdict.*" in line]
    assert len(open_ones) >= 5
    sources = " ".join(file.read_text(encoding="utf-8") for file in (ROOT / "mtsig" / "lab").glob("_*2*.py"))
    for line in open_ones:
        needs = line.rpartition(" A verdict on the paper needs ")[2].removesuffix(".")
        assert needs != line
        assert f'"{needs}"' in sources, needs
    for made in (correlations(), scales()):
        assert made.holds is None
        assert made.says in page


def test_a_claim_that_fails_is_called_so() -> None:
    assert heading(figure_two()).endswith("does not hold)")
    assert "no verdict" in heading(correlations())
    assert np.isfinite(correlations().rows[0]["r"])
