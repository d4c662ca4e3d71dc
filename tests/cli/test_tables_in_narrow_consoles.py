"""Tables in consoles narrower than they are: no number and no head is cut, and every row keeps its name."""

import pytest
from rich.console import Console

from mtsig.cli import _output as terminal
from mtsig.report import Column, Table

METRICS = ("a metric with a name", "another")
HEADS = ("difference of metrics", "low end of the interval", "right of separated pairs")
TABLE = Table.of(
    "",
    (Column("metric"), METRICS),
    *((Column(head, "difference", 4), (0.1234 + place, -7.25 - place)) for place, head in enumerate(HEADS)),
)
NUMBERS = ["+0.1234", "+1.1234", "+2.1234", "−7.2500", "−8.2500", "−9.2500"]


def printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], columns: int) -> list[str]:
    monkeypatch.setattr(terminal, "_console", lambda: Console(width=columns, highlight=False))
    terminal.print_tables([TABLE])
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(("columns", "sheets"), [(200, 1), (60, 1), (42, 1), (24, 3)])
def test_no_number_and_no_head_is_cut(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], columns: int, sheets: int
) -> None:
    lines = printed(monkeypatch, capsys, columns)
    words = " ".join(lines).split()
    assert max(map(len, lines)) <= columns
    assert sorted(word for word in words if word in NUMBERS) == NUMBERS
    assert all(word in words for head in HEADS for word in head.split())
    # What names the rows stands on every sheet.
    assert words.count("another") == sheets
    assert "…" not in "".join(words)


def test_heads_stay_on_one_line_where_there_is_room(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert all(head in printed(monkeypatch, capsys, 100)[0] for head in HEADS)
