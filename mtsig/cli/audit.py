"""`mtsig audit`: one pair, every test side by side."""

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from mtsig.cautions import single_runs
from mtsig.cli.flags import add_flags, chosen_options
from mtsig.cli.pairs import add_pair, read_pair, read_statistics
from mtsig.cli.show import progress, show, show_notes
from mtsig.errors import NotApplicable
from mtsig.inference import Settings, as_sacrebleu, audit, block_scan, dependence
from mtsig.metrics import Statistics
from mtsig.report import Table, audit_table, block_table, printed_table
from mtsig.report.bundle import audit_bundle
from mtsig.report.tables import dependence_table, said_table

Section = tuple[list[dict[str, Any]], list[Table]]


EXAMPLES = {
    "mtsig audit --data data --pair ours base": "every test of one pair",
    "mtsig audit --ref ref.txt --sys base.txt ours.txt --as-sacrebleu": "with what sacreBLEU prints",
}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_pair(parser)
    parser.add_argument(
        "--as-sacrebleu",
        action="store_true",
        help="add the pair as sacreBLEU prints it, the second system being the baseline",
    )
    add_flags(parser, Settings, only=("level", "draws", "seed", "unit"))


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    del rest
    settings = chosen_options(Settings, chosen)
    corpus, statistics = read_statistics(chosen)
    pair = read_pair(chosen, list(statistics[0].systems))
    with progress("Auditing"):
        audits = [audit(counted, *pair, settings) for counted in statistics]
        within, tables = _dependence(statistics, *pair)
        printed, more = _printed(statistics, *pair) if chosen.as_sacrebleu else ([], [])
    notes = [note for audited in audits for note in audited.notes]
    show_notes(corpus, [*single_runs(pair), *notes])
    bundle = audit_bundle(corpus, settings, audits, within, printed)
    show(chosen.format, bundle, "tests", [*(audit_table(audited) for audited in audits), *tables, *more])
    return 0


def _dependence(statistics: Sequence[Statistics], first: str, second: str) -> Section:
    """Return what dependence within documents costs under every metric, by blocks where documents are unknown."""
    rows: list[dict[str, Any]] = []
    tables = []
    for counted in statistics:
        name = counted.metric.name
        try:
            if counted.document_of is None:
                scan = block_scan(counted, first, second)
                rows.append({"metric": name, "target": scan.target, "lengths": scan.lengths.tolist(),
                             "ratio": scan.ratio.tolist(), "limit": scan.limit.tolist(), "problem": None})  # fmt: skip
                tables.append(block_table(scan, name))
            else:
                effect = dependence(counted, first, second)
                more = {"design_effect": effect.design_effect, "effective_segments": effect.effective_segments}
                rows.append({"metric": name, **asdict(effect), **more, "problem": None})
                tables.append(dependence_table(effect, name))
        except NotApplicable as error:
            rows.append({"metric": name, "problem": str(error)})
            tables.append(said_table(f"dependence within documents, {name}", str(error)))
    return rows, tables


def _printed(statistics: Sequence[Statistics], first: str, second: str) -> Section:
    """Return the pair as sacreBLEU prints it under every metric of its."""
    rows: list[dict[str, Any]] = []
    tables = []
    for counted in statistics:
        name = counted.metric.name
        try:
            lines = as_sacrebleu(counted, first, second)
        except NotApplicable as error:
            rows.append({"metric": name, "problem": str(error)})
            tables.append(said_table(f"as sacreBLEU prints it, {name}", str(error)))
            continue
        rows += [{"metric": name, **asdict(line), "problem": None} for line in lines]
        tables.append(printed_table(lines, name))
    return rows, tables
