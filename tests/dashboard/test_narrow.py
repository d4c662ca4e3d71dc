"""A narrow window's table of comparisons shows what each verdict rests on."""

import pytest
from mtsig_dashboard.parts import pictures

import mtsig


@pytest.mark.parametrize(
    ("test", "title", "cell"), [("auto", "Corrected p", ".0001"), ("bootstrap-koehn", "Resamples won", "100.0%")]
)
def test_what_decides_stands_beside_every_verdict(test: str, title: str, cell: str) -> None:
    family = mtsig.Settings(test=test, n_resamples=500).family(mtsig.measure(mtsig.read_sample(), "chrf"))
    shown = pictures.narrow_comparisons(family)
    assert f'<th scope="col">{title}</th>' in shown
    assert f"<td>{cell}</td>" in shown
    assert "<td></td>" not in shown
