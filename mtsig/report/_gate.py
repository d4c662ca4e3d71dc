"""The gate in words: its result goes in; a table, sentences, and what pipelines read come out."""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from math import ceil, floor, isnan, log10
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from mtsig._probability import interval_text, level_text, points_text
from mtsig._say import UNEVEN
from mtsig._writing import in_markdown, visible
from mtsig.citations import VERSION
from mtsig.corpus._notes import listed, number_of
from mtsig.gate import RULES, GateCheck, GateResult
from mtsig.inference import p_text
from mtsig.inference._margins import uneven
from mtsig.inference._verdict import CAUTION
from mtsig.report._bundle import HEAD, plain
from mtsig.report._table import Column, Table, markdown_table
from mtsig.resampling import RNG

_POWER = "with 80% power"

_SAID = {"pass": "Pass", "regression": "Regression", "inconclusive": "Inconclusive"}
_COMMANDS = {"pass": "notice", "regression": "error", "inconclusive": "warning"}


def gate_table(gate_result: GateResult) -> Table:
    """Return a row for every metric, with the outcome of all below."""
    several = any(check.family_size > 1 for check in gate_result.checks)
    return Table.of_rows(
        gate_texts(gate_result)[0],
        gate_result.checks,
        Column("metric"),
        Column("candidate − baseline", "range", key="difference", of=lambda check: _points(check, "difference", True)),
        Column("adjusted CI" if several else _interval_name(gate_result), "range", key="interval", of=_ends),
        Column("p (holm)", "p", key="p", of=lambda check: None if check.has_margin else check.p_adjusted),
        Column("margin", "range", of=lambda check: _points(check, "margin")),
        Column("could show", "range", of=lambda check: _points(check, "detectable")),
        Column("outcome", of=lambda check: f"{check.outcome} {CAUTION}" if check.caution else check.outcome),
        name="gate",
    )


def _points(check: GateCheck, name: str, signed: bool = False) -> str:
    value: float = getattr(check, name)
    return "" if value != value else points_text(value, check.decimals, signed)


def gate_texts(gate_result: GateResult) -> tuple[str, ...]:
    """Return what came out: altogether, metric by metric, and what the ledger makes of it."""
    over = f", on average over {number_of(len(gate_result.sets), 'test set')}" if len(gate_result.sets) > 1 else ""
    if gate_result.lacking:
        over += f", without {listed(gate_result.lacking)}, where one of the two systems is missing"
    whole = f"{_SAID[gate_result.outcome]}: {gate_result.candidate} against {gate_result.baseline}{over}."
    return (whole, *(check_text(gate_result, check) for check in gate_result.checks), *_look_texts(gate_result))


def check_text(gate_result: GateResult, gate_check: GateCheck) -> str:
    """Return what the gate says of one metric, in a few sentences."""
    texts = [f"{gate_check.metric}: {gate_check.outcome}.", *_said(gate_result, gate_check)]
    if not gate_check.higher_is_better and gate_check.difference != 0:
        texts.append(f"Lower {gate_check.metric} is better; the sign is reversed, so that negative means worse.")
    if gate_check.one_more_asked and not gate_check.withheld_reason:
        texts.append(_one_more(gate_check))
    if gate_check.has_margin and uneven(gate_check.unit, gate_check.heaviest_share, gate_check.df):
        texts.append(UNEVEN)
    if gate_check.caution:
        texts.append(f"Caution: {gate_check.caution}.")
    if gate_check.has_margin:
        texts.append(_STATUS[gate_check.status])
    if gate_check.unmatched and not gate_check.withheld_reason:
        texts.append(
            f"{gate_check.unmatched}, so its {gate_check.metric} has no standard error. It was tested by random swaps "
            f"of {gate_check.unit}s and by the jackknife on the smoothed score, which also gives the interval."
        )
    return " ".join(texts)


def _one_more(gate_check: GateCheck) -> str:
    """Return whether a margin holds with one more document like the most influential, against the candidate."""
    if gate_check.one_more != gate_check.one_more:
        return (
            "The effect of one more document like the most influential one cannot be computed, because this needs the "
            "documents of a single test set."
        )
    bound = points_text(gate_check.one_more, gate_check.decimals, True)
    if gate_check.one_more > -gate_check.margin:
        return f"This is also true with one more document like the most influential one (lower bound {bound})."
    return f"With one more document like the most influential one, the margin would not be met (lower bound {bound})."


_STATUS = {
    "planned": "The analysis plan fixed this margin.",
    "exploratory": "Exploratory: no analysis plan fixed this margin.",
}


def _said(gate_result: GateResult, gate_check: GateCheck) -> Iterator[str]:
    evidence = _evidence(gate_result, gate_check)
    margin = f"{points_text(gate_check.margin, gate_check.decimals)} {gate_check.metric}"
    if gate_check.n_differing == 0:
        yield f"The two systems are the same on every {gate_check.unit}."
    elif gate_check.withheld_reason:
        yield f"These data allow no verdict: {gate_check.withheld_reason}{evidence}."
        if gate_check.difference < 0:
            by = f"{points_text(-gate_check.difference, gate_check.decimals)} {gate_check.metric}"
            yield (
                f"Observed: {gate_result.candidate} scores worse by {by} on these "
                f"{number_of(gate_check.units, gate_check.unit, ',')}. It is unknown whether this is more than chance."
            )
    elif not gate_check.has_margin and gate_check.outcome == "regression":
        yield f"{_worse(gate_result, 'significantly')}{evidence}."
    elif not gate_check.has_margin and gate_check.ci_low > 0 and gate_check.p_adjusted <= gate_result.alpha:
        yield f"{gate_result.candidate} is significantly better than {gate_result.baseline}{evidence}."
    elif not gate_check.has_margin:
        yield f"{_worse(gate_result, 'not significantly')}{evidence}."
        yield f"This does not show that it is not worse{_detectable(gate_check)}."
    elif gate_check.outcome == "regression":
        yield f"{_worse(gate_result, f'more than {margin}')}{evidence}."
    elif gate_check.outcome == "pass":
        yield f"{_worse(gate_result, f'less than {margin}')}, or not worse{evidence}."
    else:
        least, could = (
            points_text(value, gate_check.decimals) for value in (-gate_check.ci_low, gate_check.detectable)
        )
        yield f"It is not established whether {_worse(gate_result, f'more than {margin}')}{evidence}."
        established = f"for equal systems, a test set like this establishes {could}, {_POWER}"
        if isnan(gate_check.detectable):
            established = "a test set like this establishes no margin that the metric allows, even for equal systems"
        yield f"The smallest margin established is {least}; {established}."


def _worse(gate_result: GateResult, how: str) -> str:
    return f"{gate_result.candidate} is {how} worse than {gate_result.baseline}"


def _evidence(gate_result: GateResult, gate_check: GateCheck) -> str:
    known = gate_check.difference == gate_check.difference
    parts = [f"difference {points_text(gate_check.difference, gate_check.decimals, True)}"] if known else []
    called = "adjusted CI" if gate_check.family_size > 1 else _interval_name(gate_result)
    parts += [f"{called} {_ends(gate_check)}"] if _ends(gate_check) else []
    if not gate_check.has_margin and gate_check.p_adjusted == gate_check.p_adjusted:
        of = f" of {gate_check.family_size} metrics by Holm" if gate_check.family_size > 1 else ""
        parts.append(f"{p_text(gate_check.p_adjusted)}{of}")
    return f" ({', '.join(parts)})" if parts else ""


def _ends(gate_check: GateCheck) -> str:
    return (
        ""
        if gate_check.ci_low != gate_check.ci_low
        else interval_text(gate_check.ci_low, gate_check.ci_high, True, gate_check.decimals)
    )


def _detectable(gate_check: GateCheck) -> str:
    if gate_check.detectable != gate_check.detectable:
        return ""
    return f": a true difference of {points_text(gate_check.detectable, gate_check.decimals)} is detected {_POWER}"


def _interval_name(gate_result: GateResult) -> str:
    return f"{_level(gate_result)} CI"


def _level(gate_result: GateResult) -> str:
    """Return the level of the look, which is never rounded up."""
    digits = 1 - floor(log10(gate_result.alpha))
    return level_text(1 - ceil(round(gate_result.alpha * 10**digits, 6)) / 10**digits)


def _look_texts(gate_result: GateResult) -> Iterator[str]:
    look = gate_result.look
    if look is None:
        return
    again = "; this repeats an earlier look, so no more of the total error rate is spent" if look.repeated else ""
    margins = sum(check.has_margin for check in gate_result.checks)
    # Every margin errs to one side in half of alpha, and so do all metrics without a margin together.
    each = ", metric by metric," if margins + (margins < len(gate_result.checks)) > 2 else ""
    yield (
        f"Look {look.number} in {look.ledger} is tested at a false-positive rate of {gate_result.alpha:.3g}; for all "
        f"looks together, the rate is {look.alpha:g}{again}."
    )
    # Far out in the tail t is not exact: docs/gate.md measures .058 and .082 where differences are very skewed.
    yield (
        f"Rule {look.rule}: {RULES[look.rule].holds}{each} is at most {look.alpha:g}, if the test keeps its nominal "
        "level. With very skewed differences, the test may not keep it."
    )
    yield (
        "The ledger limits false regressions only. If many candidates are tried, a worse one may pass by chance. The "
        "best result of many is often due to chance in part."
    )


def gate_facts(gate_result: GateResult) -> list[tuple[str, str]]:
    """Return what makes the result again, each with its name."""
    settings, look, checks = gate_result.settings, gate_result.look, gate_result.checks
    tests = dict.fromkeys(f"{check.test} over {number_of(check.units, check.unit, ',')}" for check in checks)
    draws = max(check.n_resamples for check in checks)
    over = "" if look is None else f" (of this look; {level_text(settings.level)} for all looks together)"
    facts = [
        ("data", gate_result.data),
        ("metrics", "; ".join(f"{check.metric} {check.signature}" for check in checks)),
        ("test", ", ".join(tests)),
        (
            "resamples",
            f"{draws:,}, seed {settings.seed}"
            if draws
            else f"none by this test (of {settings.n_resamples:,}, seed {settings.seed})",
        ),
        ("level", f"{_level(gate_result)}, two-sided{over}"),
        ("correction", "Holm over metrics without a margin; none for margins"),
    ]
    if len(gate_result.sets) > 1:
        weights = gate_result.weights if isinstance(gate_result.weights, str) else json.dumps(dict(gate_result.weights))
        facts.append(("sets", f"{listed(gate_result.sets)}; weights {weights}, units {gate_result.sharing}"))
    facts += [("plan", gate_result.plan)] if gate_result.plan is not None else []
    if look is not None:
        facts.append(("ledger", f"{look.ledger}, look {look.number}, rule {look.rule}, {look.head}"))
    return [*facts, ("mtsig", VERSION)]


def gate_bundle(gate_result: GateResult) -> dict[str, Any]:
    """Return the result as one JSON object."""
    settings = gate_result.settings
    return plain(
        {
            **HEAD,
            "outcome": gate_result.outcome,
            "exit_code": gate_result.exit_code,
            "baseline": gate_result.baseline,
            "candidate": gate_result.candidate,
            "sets": list(gate_result.sets),
            "lacking": list(gate_result.lacking),
            "weights": gate_result.weights if isinstance(gate_result.weights, str) else dict(gate_result.weights),
            "sharing": gate_result.sharing,
            "data": gate_result.data,
            "status": "exploratory" if gate_result.plan is None else "planned",
            "plan": gate_result.plan,
            "settings": {
                **{name: getattr(settings, name) for name in ("test", "level", "n_resamples", "seed", "unit")},
                "correction": "holm",
                "interval": "jackknife",
                "rng": RNG,
            },
            "alpha": gate_result.alpha,
            "look": None if gate_result.look is None else vars(gate_result.look),
            "checks": gate_result.rows(),
            "sentences": list(gate_texts(gate_result)),
            "notes": [note.text for note in gate_result.notes],
        }
    )


def gate_markdown(gate_result: GateResult) -> str:
    """Return the result as Markdown, as a step's summary or a comment shows it."""
    whole, *texts = gate_texts(gate_result)
    lines = [f"### {in_markdown(whole)}", "", markdown_table(gate_table(gate_result)), ""]
    lines += [f"- {in_markdown(text)}" for text in texts]
    lines += [f"- {note.level}: {in_markdown(note.text)}" for note in gate_result.notes]
    lines += ["", markdown_table(Table.of_text("", ("made from", ""), gate_facts(gate_result)))]
    return "\n".join(lines) + "\n"


def gate_annotations(gate_result: GateResult) -> str:
    """Return the result as GitHub's workflow commands: an error, warning or notice for every metric."""
    title = f"mtsig gate: {gate_result.candidate} against {gate_result.baseline}"
    lines = [_command(_COMMANDS[check.outcome], title, check_text(gate_result, check)) for check in gate_result.checks]
    lines += [_command("warning", title, gate_texts(gate_result)[0])] if gate_result.lacking else []
    lines += [_command("notice", title, text) for text in _look_texts(gate_result)]
    facts = "; ".join(f"{name}: {value}" for name, value in gate_facts(gate_result))
    return "\n".join([*lines, _command("notice", title, facts)]) + "\n"


def refusal_annotation(text: str, given: Iterable[Path], root: Path) -> str:
    """Return why there is no outcome as a workflow command, at the file that it names of those given."""
    file, line = _place_named(text, given)
    where = {}
    if file is not None and (path := file.resolve()).is_relative_to(root.resolve()):
        where = {"file": path.relative_to(root.resolve()).as_posix(), "line": line}
    return _command("error", "mtsig gate: no outcome", text, **where) + "\n"


def _place_named(text: str, given: Iterable[Path]) -> tuple[Path | None, str]:
    """Return the file that a message names first, whole or below a folder, and the line of it; "" for none."""
    text, _, _ = text.partition(" Known: ")  # names of systems may be those of files
    below = chain.from_iterable([place] if place.is_file() else place.rglob("*") for place in given)
    found = []
    for file in (path for path in islice(below, _MOST_FILES) if path.is_file()):
        for name in ("/".join(file.parts[i:]) for i in range(len(file.parts))):
            shown = re.search(rf"(?<![^\s(/]){re.escape(name)}(?=[,:)]| [a-z])", text) if {"/", "."} & {*name} else None
            if shown:
                found.append((text.partition(": ")[0] not in file.parts, shown.start(), -len(name), file, shown.end()))
    if not found:
        return None, ""
    *_, file, end = min(found)
    after = min((start for _, start, *_ in found if start > end), default=None)  # there begins what is of another file
    line = re.search(r"\bline (\d+)\b(?! of )", text[end:after])
    return file, line[1] if line else ""


_MOST_FILES = 10_000


def _command(command: str, title: str, text: str, **where: str) -> str:
    """Return a workflow command: % and ends of lines are written out, in a property also : and the comma."""
    named = "".join(f",{name}={_percent(value, _PROPERTY)}" for name, value in where.items() if value)
    return f"::{command} title={_percent(_in_line(title), _PROPERTY)}{named}::{_percent(_in_line(text), '%')}"


_PROPERTY = "%\r\n:,"


def _in_line(text: str) -> str:
    return visible(re.sub(r"\s+", " ", text))


def _percent(text: str, signs: str) -> str:
    return "".join(f"%{ord(sign):02X}" if sign in signs else sign for sign in text)


def gate_junit(gate_result: GateResult) -> str:
    """Return the result as JUnit's XML: a test case for every metric; a regression fails, inconclusive is an error."""
    count = {outcome: sum(item.outcome == outcome for item in gate_result.checks) for outcome in _SAID}
    counts = {
        "tests": str(len(gate_result.checks)),
        "failures": str(count["regression"]),
        "errors": str(count["inconclusive"]),
    }
    root = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(root, "testsuite", {"name": "mtsig gate", **counts})
    properties = ElementTree.SubElement(suite, "properties")
    for name, value in gate_facts(gate_result):
        ElementTree.SubElement(properties, "property", {"name": name, "value": _in_xml(value)})
    for check in gate_result.checks:
        names = {
            "classname": _in_xml(f"{gate_result.candidate} against {gate_result.baseline}"),
            "name": _in_xml(check.metric),
        }
        case, text = ElementTree.SubElement(suite, "testcase", names), _in_xml(check_text(gate_result, check))
        if check.outcome == "pass":
            ElementTree.SubElement(case, "system-out").text = text
        else:
            kind = "failure" if check.outcome == "regression" else "error"
            ElementTree.SubElement(case, kind, {"type": check.outcome, "message": text})
    ElementTree.SubElement(suite, "system-out").text = _in_xml("\n".join(gate_texts(gate_result)))
    ElementTree.indent(root)
    written: str = ElementTree.tostring(root, "unicode", xml_declaration=False)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{written}\n'


def _in_xml(text: str) -> str:
    """Return text that may stand in XML, which escapes what marks up by itself."""
    return re.sub("[\ufffe\uffff]", "\ufffd", visible(text, keep="\n"))
