"""`mtsig report`: a study becomes documents; with the data, it is made again first."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mtsig.ablation import Ablation, ablate, usable_sizes
from mtsig.cli.inputs import add_input, input_arguments, read_input
from mtsig.cli.say import say, tell
from mtsig.cli.show import measured, progress
from mtsig.corpus import Corpus, number_of
from mtsig.errors import InvalidOption
from mtsig.report import Table, carrying_tables
from mtsig.study import REPORT_FORMATS, Change, Study, read_study, reproduce, reproduction_text, study_changes
from mtsig.writing import write_file

if TYPE_CHECKING:
    from mtsig.figures import Picture


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
        f"(default: {' '.join(REPORT_FORMATS)})",
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
    # Segments of other data carry no verdict of this study.
    carrying = () if corpus is None or code else _carrying(study, corpus)
    folder = Path(chosen.out) if chosen.out else Path(chosen.study).parent / f"{Path(chosen.study).stem}-report"
    _write(study, more, carrying, chosen.to or REPORT_FORMATS, folder)
    return code


def _again(study: Study, corpus: Corpus) -> int:
    """Make the study again, say what differs, and return the exit code."""
    with progress("Making it again"):
        found = reproduce(study, corpus)
    _tell(reproduction_text(found, study), found.changes)
    return 0 if found.same else 1


def _tell(text: str, changes: Sequence[Change]) -> None:
    say(text, *(f"  {change.kind}: {change.text}" for change in changes))


def _pictures(study: Study, corpus: Corpus, chosen: argparse.Namespace) -> dict[str, "Picture"]:
    """Return the pictures that need the draws."""
    if not chosen.pair and not chosen.sizes:
        return {}
    # Here and not above: plotly and matplotlib take a while to load, and other verbs need neither.
    from mtsig.figures import Curves, Histogram
    from mtsig.report.study_tables import names_of

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
            with progress(f"Subsets, {statistics.metric.name}"):
                curves = ablate(statistics, plan)
            found[f"sizes-{name}"] = Curves.of_scores(curves)
            found[f"widths-{name}"] = Curves.of_widths(curves)
    return found


def _carrying(study: Study, corpus: Corpus) -> tuple[Table, ...]:
    """Return the segments that carry the verdict."""
    corpus = corpus.select(study.data.systems, study.data.references)
    tables, notes = carrying_tables(study, corpus, measured(corpus, study.counted))
    for note in notes:
        tell(f"{note.level}: {note.text}")
    return tables


def _write(
    study: Study, more: dict[str, "Picture"], carrying: tuple[Table, ...], formats: Sequence[str], folder: Path
) -> None:
    from mtsig.report.exporters import Document, exported

    written = exported(Document.of(study, more, carrying=carrying), formats)
    for note in written.notes:
        tell(f"{note.level}: {note.text}")
    for name, data in written.files.items():
        write_file(folder / name, data)
        say(str(folder / name))
