"""Types: what a user's program may write is checked by the mypy run of the project, and runs."""

import tomllib
from pathlib import Path

import pytest
import user_program

ROOT = Path(__file__).resolve().parents[1]


def test_a_users_program_is_checked_with_the_program_and_runs() -> None:
    mypy = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
    assert mypy["strict"]
    assert user_program.__name__ in mypy["modules"]
    assert all((ROOT / package / "py.typed").exists() for package in ("mtsig", "dashboard/mtsig_dashboard"))
    assert user_program.of_scores() == ["better"] * 6
    numbers = user_program.of_corpora(ROOT / "sample_data" / "es-en")
    assert numbers[-1] == pytest.approx(2.4254, abs=1e-4)
