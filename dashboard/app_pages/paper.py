"""Paper: the study as figures, tables and methods for a paper; plans and earlier studies come in here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from dashboard import compute, session, show
from dashboard.forms import form
from dashboard.markdown import plain
from dashboard.session import Choices
from mtsig import Corpus, MtsigError, Settings
from mtsig.ablation import Ablation, usable_sizes
from mtsig.explain import explain
from mtsig.figures import Curves, Histogram, IntervalBars, Matrix, Picture, pgf_problem
from mtsig.inference import Family
from mtsig.metrics import Statistics
from mtsig.report import (
    family_text,
    latex_table,
    methods_paragraph,
    names_of,
    paper_tables,
    signature_line,
    status_text,
)
from mtsig.report.exporters import EXPORTERS, Document, FigureFiles, exporter, one_download, packed
from mtsig.study import AnalysisPlan, Request, Study, plan_of, reproduction_text, study_of

# As browsers count them: a figure shown with so many dots per inch has its true size.
DOTS_PER_INCH = 96

MOST_BYTES = 50 * 2**20

# More draws would hold up other visitors; the command line makes any study again.
MOST_DRAWS = 200_000


@dataclass(frozen=True)
class Drawing:
    """A figure that can be drawn: the stem of its file, and how."""

    name: str
    draw: Callable[[], Picture]


def page() -> None:
    """Draw the page: what goes out on top, what may come in below."""
    st.title("Paper")
    body = st.container()
    opened, plan = _opened(), _plan()
    with body:
        if opened is not None:
            _earlier(opened)
            return
        corpus = show.loaded()
        if plan is not None:
            study = compute.planned_study(corpus, plan)
            st.caption("The study follows the plan given below, whatever the sidebar says.")
            _documents(study, {})
            return
        choices = session.current().selection.choices
        study = compute.study(corpus, Request(choices.metrics, choices.settings))
        _documents(study, _more(corpus, study, choices))


# --- what comes in ------------------------------------------------------------------------------------------------


def _opened() -> Study | None:
    """Take a study made before; None when there is none, or when the file is no study."""
    with st.expander("Open a study made before"):
        st.markdown(explain("earlier-study"))
        file = st.file_uploader("Study (.json)", type=["json"], key="study_file", max_upload_size=MOST_BYTES // 2**20)
    if file is None:
        return None
    try:
        return study_of(file.getvalue(), file.name)
    except MtsigError as error:
        st.error(plain(str(error)))
        return None


def _earlier(study: Study) -> None:
    """Show a study made before, and whether the loaded data give it again."""
    corpus = session.current().data.corpus
    if corpus is None:
        st.info("Load the study's data on the Data page to make it again; the documents below are from the file alone.")
    elif study.settings.draws > MOST_DRAWS:
        st.warning(f"With more than {MOST_DRAWS:,} draws it is made again by the command line: mtsig report STUDY.")
    else:
        _checked(study, corpus)
    _documents(study, {})


def _checked(study: Study, corpus: Corpus) -> None:
    try:
        found = compute.reproduced(study, corpus)
    except MtsigError as error:
        st.error(plain(str(error)))
        return
    box: Callable[[str], object] = st.success if found.same else st.warning
    box(plain(reproduction_text(found, study)))
    if found.changes:
        with st.expander(f"What differs ({len(found.changes)})", expanded=True):
            for change in found.changes[:100]:
                st.text(f"{change.kind}: {change.text}")
            if len(found.changes) > 100:
                st.caption(f"… and {len(found.changes) - 100} more; mtsig report lists them all.")


def _plan() -> AnalysisPlan | None:
    """Take an analysis plan, and keep it until it is dropped."""
    selection = session.current().selection
    kept = selection.plan
    with st.expander("Analysis plan", expanded=kept is not None):
        st.markdown(explain("analysis-plan"))
        if kept is not None:
            st.text(kept.digest)
            if st.button("Drop the plan"):
                selection.plan = None
                st.rerun()
            return kept
        file = st.file_uploader("Plan (.toml)", type=["toml"], key="plan_file", max_upload_size=1)
        if file is not None:
            try:
                selection.plan = plan_of(file.getvalue(), file.name)
            except MtsigError as error:
                st.error(plain(str(error)))
                return None
            st.rerun()
    return None


# --- what goes out ------------------------------------------------------------------------------------------------


def _documents(study: Study, more: Mapping[str, Drawing]) -> None:
    """Offer everything that a study can be written as."""
    st.markdown(f"**{plain(status_text(study))}**")
    for result in study.results:
        st.caption(plain(family_text(result.compared, study.plan is not None)))
    _figure(study, more)
    _table(study)
    _methods(study)
    _everything(study)
    show.notes(study.all_notes)
    st.subheader("Plans and earlier studies")


def _figure(study: Study, more: Mapping[str, Drawing]) -> None:
    """Show one figure at its true size, and offer it."""
    st.subheader("Figure")
    drawings = {**_drawings(study), **more}
    session.drop_stale("paper_figure", list(drawings))
    left, right = st.columns([3, 2])
    with left:
        chosen = drawings[st.selectbox("Figure", list(drawings), key="paper_figure")]
    with right:
        paper = form(FigureFiles(), "paper_")["paper"]
    picture = chosen.draw()
    sheet = compute.sheet(picture, paper)
    st.image(sheet.data, width=round(DOTS_PER_INCH * sheet.width))
    st.caption(plain(picture.caption))
    st.caption(f"{sheet.width:.2f} × {sheet.height:.2f} in; shown at its true size on most screens.")
    show.notes(sheet.notes)
    formats = ["pdf", "svg", "png", *([] if pgf_problem(picture) else ["pgf"])]
    for column, kind in zip(st.columns(len(formats)), formats, strict=True):
        file_name = f"{chosen.name}.{kind}"
        column.download_button(
            kind.upper(),
            data=partial(_written, f"{kind}:paper={paper}", Document(study, {chosen.name: picture}), file_name),
            file_name=file_name,
            on_click="ignore",
            key=f"download-figure-{kind}",
        )


def _drawings(study: Study) -> dict[str, Drawing]:
    """Return the figures that a study can be drawn as by itself."""
    found: dict[str, Drawing] = {}
    for name, result in zip(names_of(study), study.results, strict=True):
        metric = result.scored.metric
        found[f"{metric}: scores"] = Drawing(f"scores-{name}", partial(IntervalBars.of, result.scored))
        found[f"{metric}: matrix"] = Drawing(f"matrix-{name}", partial(Matrix.of, result.compared))
    return found


def _written(exporter_name: str, document: Document, file_name: str) -> bytes:
    return one_download(exporter(exporter_name)(document).files, file_name)


def _more(corpus: Corpus, study: Study, choices: Choices) -> dict[str, Drawing]:
    """Return the figures that need draws: of the two systems of the Compare page, or of the two best, and by size."""
    found: dict[str, Drawing] = {}
    for name, metric in zip(names_of(study), choices.metrics, strict=True):
        statistics = compute.measured(corpus, metric)
        family = compute.family(statistics, choices.settings)
        first, second = session.current().pair(family.order)
        position = family.find(first, second)
        if position is not None:
            # Seen from the system that the Compare page names first.
            turned = family if family.first[position] == first else family.turned(position)
            found |= _draws(name, turned, position)
        by_size = (statistics, choices.settings)
        found[f"{metric.name}: scores by size"] = Drawing(f"sizes-{name}", partial(_score_curves, *by_size))
        found[f"{metric.name}: widths by size"] = Drawing(f"widths-{name}", partial(_width_curves, *by_size))
    return found


def _draws(name: str, family: Family, position: int) -> dict[str, Drawing]:
    one = family[position]
    pair = f"{one.first} – {one.second}"
    found = {
        f"{one.metric}: redrawn test sets, {pair}": Drawing(
            f"resampled-{name}", lambda: Histogram.of_resampled(compute.resampled(family, position), one)
        )
    }
    if family.null is not None and family.test.exchanges:
        drawing = Drawing(f"shuffled-{name}", partial(Histogram.of_shuffled, family.null[position], one))
        found[f"{one.metric}: exchanged labels, {pair}"] = drawing
    return found


def _score_curves(statistics: Statistics, settings: Settings) -> Picture:
    return Curves.of_scores(compute.curves(statistics, _size_plan(statistics, settings), None))


def _width_curves(statistics: Statistics, settings: Settings) -> Picture:
    return Curves.of_widths(compute.curves(statistics, _size_plan(statistics, settings), None))


def _size_plan(statistics: Statistics, settings: Settings) -> Ablation:
    """Return the plan of the curves by test-set size."""
    sizes = usable_sizes(statistics.at(settings.unit).n)
    return Ablation(sizes=sizes, level=settings.level, seed=settings.seed, unit=settings.unit)


def _table(study: Study) -> None:
    """Show one table as LaTeX, and offer all of them."""
    st.subheader("Table")
    tables = {table.title: table for table in paper_tables(study)}
    session.drop_stale("paper_table", list(tables))
    title = st.selectbox("Table as LaTeX", list(tables), key="paper_table")
    st.code(latex_table(tables[title]), language="latex", wrap_lines=True)
    names = ("latex", "markdown", "csv", "xlsx")
    for column, name in zip(st.columns(len(names)), names, strict=True):
        _offer(column, name, study)


def _offer(column: Any, name: str, study: Study) -> None:
    one = EXPORTERS[name]
    endings = {"html": "report.html", "markdown": "report.md", "xlsx": "tables.xlsx", "json": "study.json"}
    file_name = endings.get(name, f"{name}.zip")
    column.download_button(
        one.label,
        data=lambda: _written(name, Document.of(study), file_name),
        file_name=file_name,
        help=one.about,
        on_click="ignore",
        key=f"download-{name}",
    )


def _methods(study: Study) -> None:
    """Show the methods paragraph with its signatures and its bibliography."""
    st.subheader("Methods")
    found = methods_paragraph(study)
    st.markdown(plain(found.text))
    with st.expander("LaTeX and BibTeX"):
        st.code(found.latex, language="latex", wrap_lines=True)
        st.code(found.bibtex, language="bibtex")
    for result in study.results:
        st.code(signature_line(study, result), language=None, wrap_lines=True)


def _everything(study: Study) -> None:
    """Offer the report, the study, and all files at once."""
    st.subheader("Everything")
    left, middle, right = st.columns(3)
    _offer(left, "html", study)
    _offer(middle, "json", study)
    right.download_button(
        "All files (.zip)",
        data=partial(_all_files, study),
        file_name="mtsig.zip",
        help="Report, tables, figures, methods and the study.",
        on_click="ignore",
        key="download-all",
    )
    st.caption(
        "The study makes everything again: mtsig report study.json --data FOLDER, or “Open a study made before” below."
    )


def _all_files(study: Study) -> bytes:
    document = Document.of(study)
    chosen = [one for name, one in EXPORTERS.items() if name != "pgf"]
    return packed({name: data for one in chosen for name, data in one(document).files.items()})


show.guarded(page)
