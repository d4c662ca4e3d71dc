"""Comparisons for a narrow window: pair, verdict and what it rests on, as HTML that breaks its lines.

A table of the wide page would have to be scrolled sideways there before its verdicts are seen.
"""

from mtsig import verdict
from mtsig.corpus import number_of
from mtsig.inference import Comparison, Family, p_number
from mtsig.report import has_own_p, in_html

MOST = 100
"""Comparisons that are listed; of more, the file has them all."""


def comparisons(family: Family) -> str:
    """Return the comparisons by score as a table of three columns."""
    by_score = family.by_score()
    p = "Corrected p" if family.corrected and has_own_p(family) else "p"
    decides = "Resamples won" if family.test.by_wins else p
    head = "".join(f'<th scope="col">{title}</th>' for title in ("Pair", "Verdict", decides))
    rows = "".join(
        f'<tr><th scope="row">{in_html(pair.first)}<br>{in_html(pair.second)}</th>'
        f"<td>{in_html(verdict(pair).marked)}</td>"
        f"<td>{_decider(pair)}</td></tr>"
        for pair, _ in zip(by_score, range(MOST), strict=False)
    )
    left = len(by_score) - MOST
    more = f"<p>{number_of(left, 'more comparison', ',')} in the file.</p>" if left > 0 else ""
    return (
        '<div class="pairs" role="region" aria-label="Every comparison" tabindex="0"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>{more}"
    )


def _decider(pair: Comparison) -> str:
    """Return what the verdict on a pair rests on, as it is shown."""
    if pair.by_wins:
        return f"{pair.bootstrap_win_rate:.1%}"
    return in_html(p_number(pair.p_adjusted)) if pair.has_p else ""
