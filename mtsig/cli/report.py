"""`mtsig report`: a study becomes documents; with the data, it is made again first."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mtsig.ablation import Ablation, ablating, usable_sizes
from mtsig.cli.inputs import add_input, input_arguments, read_input
from mtsig.cli.show import measured, watched, with_progress, write_file
from mtsig.corpus import Corpus, number_of
from mtsig.errors import InvalidOption
from mtsig.study import Change, Study, read_study, reproduce, reproduction_text, study_changes

if TYPE_CHECKING:
    from mtsig.figures import Picture

DEFAULT_FORMATS = ["html", "latex", "pdf", "json"]


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("study", metavar="STUDY", help="a study: what `mtsig compare --save FILE` wrote")
    add_input(parser)
    parser.add_argument("--out", metavar="FOLDER", help="where to write (default: STUDY-report beside the study)")
    parser.add_argument(
        "--to",
        nargs="+",
        metavar="FORMAT[:OPTION=VALUE]",
        help="html, latex, pdf, svg, png, pgf, markdown, csv, xlsx, json; as in pdf:paper=acl-full "
        f"(default: {' '.join(DEFAULT_FORMATS)})",
    )
    parser.add_argument("--against", metavar="STUDY", help="say what changed since this other study; writes nothing")
    parser.add_argument("--pair", nargs=2, metavar=("FIRST", "SECOND"), help="also draw this pair's draws (needs data)")
    parser.add_argument("--sizes", action="store_true", help="also draw curves by test-set size (needs data)")


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code: 0, or 1 when something differs."""
    del rest
    study = read_study(chosen.study)
    if chosen.against is not None:
        changes = study_changes(read_study(chosen.against), study)
        many = number_of(len(changes), "change")
        _tell("Nothing changed." if not changes else f"{many} since {chosen.against}:", changes)
        return 1 if changes else 0
    corpus = read_input(chosen) if input_arguments(chosen) else None
    if corpus is None and (chosen.pair or chosen.sizes):
        raise InvalidOption("--pair and --sizes need the draws: give the data too (--data FOLDER).")
    code = 0 if corpus is None else _again(study, corpus)
    more = {} if corpus is None else _pictures(study, corpus, chosen)
    folder = Path(chosen.out) if chosen.out else Path(chosen.study).parent / f"{Path(chosen.study).stem}-report"
    _write(study, more, chosen.to or DEFAULT_FORMATS, folder)
    return code


def _again(study: Study, corpus: Corpus) -> int:
    """Make the study again, say what differs, and return the exit code."""
    with watched("Making it again"):
        found = reproduce(study, corpus)
    _tell(reproduction_text(found, study), found.changes)
    return 0 if found.same else 1


def _tell(text: str, changes: Sequence[Change]) -> None:
    sys.stdout.write("\n".join([text, *(f"  {change.kind}: {change.text}" for change in changes)]) + "\n")


def _pictures(study: Study, corpus: Corpus, chosen: argparse.Namespace) -> dict[str, "Picture"]:
    """Return the pictures that need the draws."""
    if not chosen.pair and not chosen.sizes:
        return {}
    # Here and not above: plotly and matplotlib take a while to load, and other verbs need neither.
    from mtsig.figures import Curves, Histogram
    from mtsig.report.paper_tables import names_of

    corpus = corpus.select(study.data.systems, study.data.references)
    request = study.asked
    found: dict[str, Picture] = {}
    for name, statistics in zip(names_of(study), measured(corpus, study.counted), strict=True):
        if chosen.pair:
            family = request.settings.family(statistics, [(chosen.pair[0], chosen.pair[1])])
            found[f"resampled-{name}"] = Histogram.of_resampled(family.resampled(0), family[0])
            if family.null is not None and family.test.exchanges:
                found[f"shuffled-{name}"] = Histogram.of_shuffled(family.null[0], family[0])
        if chosen.sizes:
            settings = request.settings
            sizes = usable_sizes(statistics.at(settings.unit).n)
            plan = Ablation(sizes=sizes, level=settings.level, seed=settings.seed, unit=settings.unit)
            curves = with_progress(f"Subsets, {statistics.metric.name}", ablating(statistics, plan))
            found[f"sizes-{name}"] = Curves.of_scores(curves)
            found[f"widths-{name}"] = Curves.of_widths(curves)
    return found


def _write(study: Study, more: dict[str, "Picture"], formats: Sequence[str], folder: Path) -> None:
    from mtsig.report.exporters import Document, exporter

    chosen = [exporter(one) for one in formats]
    document = Document.of(study, more)
    files: dict[str, bytes] = {}
    for one in chosen:
        found = one(document)
        for note in found.notes:
            sys.stderr.write(f"{note.level}: {note.text}\n")
        for name, data in found.files.items():
            if files.setdefault(name, data) != data:
                raise InvalidOption(
                    f"Two of the formats write {name}: {', '.join(formats)}. Write them into two folders."
                )
    for name, data in files.items():
        write_file(folder / name, data)
        sys.stdout.write(f"{folder / name}\n")
