"""An audit as rows: test, its p on a line that all rows share, the verdict; the rest of a row opens on demand."""

from collections.abc import Hashable, Mapping
from math import log10

import streamlit as st

from mtsig.corpus import number_of
from mtsig.inference import Audit, Audited, known_test, p_number
from mtsig.report import audit_table, frame_of, in_html

_TITLES = {
    "label": "Test", "p": "p", "95% drawing error": "Drawing error", "interval": "Interval",
    "about": "It is about", "assumes": "It assumes", "why it differs": "Why it differs",
}  # fmt: skip
_FOLDED = ("Interval", "Drawing error", "It is about", "It assumes", "Why it differs")

_DECADES = 4
"""Powers of ten on the line; what is smaller stands at its end."""

_UNCOUNTED = "they give no p-value here, or only reproduce what another program prints"

_PLACES = "".join(f".mtsig-l{i} {{ left: {i}% }} .mtsig-r{100 - i} {{ right: {100 - i}% }}\n" for i in range(101))
"""What is shown passes a filter that lets no drawing through, and inline styles are for nobody: places are classes."""


def show(audit: Audit, unit: str) -> None:
    """Show the tests of an audit over these units."""
    st.html(f"<style>\n{_PLACES}</style>")
    st.html(rows(audit, unit))


def rows(audit: Audit, unit: str) -> str:
    """Return the rows as HTML: escaped texts between fixed names of classes."""
    tests = [test for test in audit if test.unit == unit]
    records = frame_of(audit_table(audit, unit, _TITLES)).to_dict("records")
    drawn: dict[bool, list[str]] = {True: [], False: []}
    for test, record in zip(tests, records, strict=True):
        drawn[test.counts].append(_row(test, record, 1 - audit.level))
    body = "".join(drawn[True])
    if drawn[False]:
        many = number_of(len(drawn[False]), "row") + (" that is" if len(drawn[False]) == 1 else " that are")
        body += f'<p class="mtsig-audit-more">{many} not counted above: {_UNCOUNTED}.</p>{"".join(drawn[False])}'
    return f'<div class="mtsig-audit">{_head(1 - audit.level)}{body}</div>'


def _head(alpha: float) -> str:
    ticks = "".join(
        f'<span class="mtsig-tick mtsig-l{_place(10.0**-power)}">{_tick(power)}</span>' for power in range(_DECADES + 1)
    )
    return (
        f'<div class="mtsig-audit-head"><span>Test</span><div class="mtsig-line">{ticks}</div>'
        f'<span class="mtsig-audit-p">p</span><span>Verdict (dashed: {alpha:.3g})</span></div>'
    )


def _tick(power: int) -> str:
    if power == 0:
        return "1"
    return f"{'≤ ' if power == _DECADES else ''}.{'0' * (power - 1)}1"


def _place(p: float) -> int:
    """Return how far to the right p stands, in percent: 1 on the left, .0001 and less on the right."""
    return round(100 * min(_DECADES, -log10(max(p, 10.0**-_DECADES))) / _DECADES)


def _row(test: Audited, record: Mapping[Hashable, object], alpha: float) -> str:
    verdict = in_html(f"{test.winner} better" if test.winner else test.verdict or "not possible here")
    why = test.problem or test.withheld_reason or (f"Caution: {test.caution}" if test.caution else "")
    reason = f'<small dir="auto">{in_html(why)}</small>' if why else ""
    folded = "".join(
        f'<dt>{title}</dt><dd dir="auto">{in_html(str(record[title]))}</dd>'
        for title in _FOLDED
        if record[title] and record[title] != test.problem
    )
    return (
        f"<details><summary><span>{in_html(known_test(test.test).title)}</span>{_line(test, alpha)}"
        f'<span class="mtsig-audit-p">{in_html(str(record["p"]))}</span><span dir="auto">{verdict}</span>{reason}'
        f"</summary><dl>{folded}</dl></details>"
    )


def _line(test: Audited, alpha: float) -> str:
    if not test.has_p or test.problem is not None:
        return '<div class="mtsig-line"></div>'
    marks = f'<span class="mtsig-axis"></span><span class="mtsig-alpha mtsig-l{_place(alpha)}"></span>'
    if test.p_mc_low < test.p_mc_high:
        ends = f"mtsig-l{_place(test.p_mc_high)} mtsig-r{100 - _place(test.p_mc_low)}"
        marks += f'<span class="mtsig-error {ends}"></span>'
    kind = "mtsig-yes" if test.winner else "mtsig-not"
    marks += f'<span class="mtsig-dot mtsig-l{_place(test.p_value)}"></span>'
    return f'<div class="mtsig-line {kind}" role="img" aria-label="p {p_number(test.p_value)}">{marks}</div>'
