"""Paper: the study as figures, tables and methods for a paper; plans and earlier studies come in here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from mtsig import Corpus, MtsigError, NotApplicable, Settings, figures
from mtsig._writing import in_html, short_names, visible
from mtsig.corpus import Note
from mtsig.corpus._notes import is_human, number_of, ranked_systems
from mtsig.figures import Curves, Forest, Histogram, Matrix, Picture, RankDiagram, SetForest, SetHeat, on_paper
from mtsig.figures._look import MOST_CURVES
from mtsig.inference import Family, joint_statements
from mtsig.metrics import Statistics
from mtsig.report import EXPORTERS, Document, Naming, exporter, latex_table
from mtsig.report._document import best_pair, in_paper, systems_of
from mtsig.report._exporters import one_download, packed
from mtsig.report._families import MOST_IN_TITLE, family_text, lede_text, title_text
from mtsig.report._over_sets import averages_text, over_sets_lede, over_sets_title, sets_text
from mtsig.report._paper import names_of, status_text
from mtsig.report._table import ROWS_OF_A_PAGE, html, in_print, is_wide
from mtsig.segments import Ablation, SizeCurves
from mtsig.segments._ablation import usable_sizes
from mtsig.study import AnalysisPlan, Request, Study
from mtsig_dashboard import compute, session
from mtsig_dashboard.memory import asked
from mtsig_dashboard.parts import forms, frame, incoming, pictures, questions, show, strip
from mtsig_dashboard.parts.show import plain
from mtsig_dashboard.state import Choices

# As browsers count them: a figure shown with so many dots per inch has its true size.
DOTS_PER_INCH = 96

# Keys of widgets that name systems or test sets: they leave the address with the data.
_OF_DATA = {"paper_of", "paper_system", "paper_systems"}


@dataclass(frozen=True)
class Kind:
    """A kind of figure: the stem of its file, how it is drawn of metrics by name, and whether one has room for several.

    metrics: the names of those that it can be drawn of.
    """

    stem: str
    metrics: tuple[str, ...]
    draw: Callable[[Sequence[str]], Picture]
    several: bool = False


class Desk(NamedTuple):
    """The places of the page: the bar's buttons, the sheet of paper, and beside it the files of what stands there."""

    figure: Any
    table: Any
    layout: Any
    names: Any
    sheet: Any
    files: Any


def page() -> None:
    """Draw the page: what goes out on top, what may come in below."""
    session.current().view.of_data |= _OF_DATA
    body = st.container()
    opened, plan = incoming.taken("study"), incoming.taken("plan")
    with body:
        _outgoing(opened, plan)
    show.onward("app_pages/planning.py", "Plan the test set of the next paper")


def _outgoing(opened: Study | None, plan: AnalysisPlan | None) -> None:
    """Show what is written of the study that was opened or planned, or else of the pages' own."""
    if opened is not None:
        _earlier(opened)
        return
    corpus, data = show.loaded(), session.current().data
    if plan is not None and plan.request.sets is not None and not data.set_names:
        raise NotApplicable(
            f"The analysis plan covers {number_of(len(plan.request.sets.names), 'test set')}. Load them on Data."
        )
    over_sets = plan is None and bool(data.set_names) and _of_all_sets(str(data.set_name))
    desk = _desk()
    if plan is not None:
        desk.files.caption("The study follows the plan given below and ignores the choices above.")
        if plan.request.sets is not None:
            _documents(desk, compute.study_over_sets(data.sets, None, plan), None)
        else:
            _documents(desk, compute.planned_study(corpus, plan), corpus)
        return
    if over_sets:
        _documents(desk, _study_over_sets(desk), None)
        return
    choices = session.current().selection.choices
    questions.expect_two(compute.measured(corpus, choices.metrics[0]), "This page writes up comparisons of systems")
    study = compute.study(corpus, Request(choices.metrics, choices.settings, "all", choices.joined))
    study = replace(study, stars=session.current().selection.stars_of(corpus))
    strip.draw(corpus, [compute.scored(corpus, metric, choices) for metric in choices.metrics])
    _documents(desk, study, corpus, partial(_more, corpus, study, choices), is_told=True)


def _desk() -> Desk:
    with frame.current().chosen:
        figure, table = map(st.popover, ("Figure", "Table"))
    with frame.current().more:
        layout, names = map(st.popover, ("Layout", "Names"))
    with st.container(key="paper"):
        return Desk(figure, table, layout, names, st.container(), st.container(key="paper-files"))


def _of_all_sets(shown: str) -> bool:
    """Let the visitor choose between the study over all test sets and that of the one that is shown."""
    every = "All test sets"
    with frame.current().more:
        chosen = st.segmented_control(
            "Study of", [every, shown], default=every, required=True, format_func=plain, width="content",
            label_visibility="collapsed", **forms.bound("paper_of"),
        )  # fmt: skip
    return chosen == every


def _study_over_sets(desk: Desk) -> Study:
    choices = session.current().selection.choices
    if choices.joined:
        desk.files.caption("With several test sets, each metric is corrected on its own, not jointly.")
    desk.files.caption("The sets are combined as on the page Test sets.")
    request = Request(choices.metrics, choices.settings, "all", sets=questions.chosen_over_sets())
    return compute.study_over_sets(session.current().data.sets, request)


def _earlier(study: Study) -> None:
    """Show a study made before, and whether the loaded data give it again."""
    desk = _desk()
    with desk.files:
        st.caption("This is the opened study, which the choices above do not change. Use the button below to close it.")
        corpus, checked = incoming.compared(study)
    _documents(desk, study, None if study.several else corpus, checked=checked)


Kinds = dict[str, Kind]


def _documents(
    desk: Desk,
    study: Study,
    corpus: Corpus | None,
    more: Callable[[Naming], Kinds] | None = None,
    checked: Note | None = None,
    is_told: bool = False,
) -> None:
    """Show what a study is in a paper, and offer everything else that it can be written as.

    corpus: the data that gave the study, where they are loaded: the report then shows segments that carry its verdicts.
    more: the kinds of figures that need draws. checked: what came out where a study that was opened was made again.
    is_told: whether the strip at the head of the page has the study's findings.
    """
    made_of = st.container(gap="small")
    with desk.names:
        naming = _naming(study)
    called = {**short_names(systems_of(study)), **naming.names}
    ledes = (f"{_lede(study, called, brief)} {status_text(study)}".strip() for brief in (False, True))
    frame.current().say(_title(study, called), *ledes)
    with made_of:
        if corpus is not None:
            strip.source_line(corpus)
        for text in _families(study):
            st.caption(plain(text))
    untold: tuple[Note, ...] = ()
    if study.several:
        document = Document(study, {}, naming, checked=checked)
        kinds = _kinds_over_sets(document.shown)
    else:
        carrying, untold = ((), ()) if corpus is None else compute.carried(study, corpus, naming)
        document = Document(study, {}, naming, carrying, checked)
        kinds = _kinds(document.shown)
    frame.current().step.download_button(
        "Download all for the paper",
        data=partial(_all_files, document),
        file_name="mtsig.zip",
        help="Report, tables, figures, methods and the study.",
        icon=":material/download:",
        on_click="ignore",
        key="download-all",
        type="primary",
    )
    with desk.layout:
        paper = pictures.paper_width()
    desk = desk._replace(sheet=desk.sheet.container(key=f"sheet-{paper}"))
    _figure(desk, document, {**kinds, **(more(naming) if more else {})}, paper)
    _methods(desk, document)
    _table(desk, document)
    with desk.files:
        st.header("Report and study")
        row = st.container(horizontal=True)
        _offer(row, "html", document)
        _offer(row, "json", document)
    show.quiet([*(() if is_told else study.all_notes), *untold], "About this study" if is_told else "All findings")
    st.header("Plans and earlier studies")
    st.caption("With its data, the study reproduces everything: use “Open an earlier study” below, or in a terminal:")
    flag = "--set" if study.several else "--data"
    st.code(f"mtsig report study.json {flag} FOLDER", language=None, wrap_lines=True)


def _title(study: Study, called: Mapping[str, str]) -> str:
    """Return the finding of the study; of many metrics, that of the first."""
    if study.several:
        found = study.over[0].compared
        return over_sets_title(found, *best_pair(found))
    families = [result.compared for result in study.results]
    return title_text(families if len(families) <= MOST_IN_TITLE else families[:1], None, called)


def _lede(study: Study, called: Mapping[str, str], brief: bool) -> str:
    """Return by how much the best system is ahead of the next, or in how many sets; of the first metric."""
    if not study.several:
        # On a phone the caption below says who is not ranked.
        return lede_text(study.results[0].compared, None, called, brief=brief, apart=not brief)
    found = study.over[0].compared
    return over_sets_lede(found, *best_pair(found), brief=brief)


def _families(study: Study) -> list[str]:
    """Return what was corrected together, a sentence for each metric."""
    if study.several:
        return [f"{sets_text(result.compared)} {averages_text(result.compared)}" for result in study.over]
    return [family_text(result.compared, study.plan is not None) for result in study.results]


SYSTEM, NAME, SHOWN = "System", "Name in the paper", "Shown"


def _naming(study: Study) -> Naming:
    """Let the visitor name and choose the systems; names that tell nothing apart are refused, the last good ones stay.

    The study keeps all systems under their own names.
    """
    kept, systems = session.current().selection.naming, systems_of(study)
    try:
        kept.check(study)
    except MtsigError:
        kept = Naming()  # those of other data
    st.caption(
        "Names of systems in the paper, and which are shown, for figures, tables and methods. The study keeps all "
        "systems under their own names, and corrections count the systems that are not shown."
    )
    shown = pd.DataFrame(
        {
            SYSTEM: systems,
            NAME: [kept.names.get(system, system) for system in systems],
            SHOWN: [system not in kept.hidden for system in systems],
        }
    )
    edited = st.data_editor(
        shown,
        hide_index=True,
        disabled=[SYSTEM],
        column_config={NAME: st.column_config.TextColumn(max_chars=80)},
        key=f"naming-{' '.join(part.data.digest for part in study.sets)}",
        alt="Systems, their names in the paper, and whether figures and tables show them",
    )
    said, naming = (Naming.of_rows(rows[SYSTEM], rows[NAME], rows[SHOWN]) for rows in (shown, edited))
    try:
        naming.check(study)
    except MtsigError as error:
        st.error(plain(str(error)))
        return kept
    if naming != said:
        session.current().name_systems(naming)
        st.rerun()
    return naming


def _figure(desk: Desk, document: Document, kinds: Kinds, paper: str) -> None:
    """Set one figure on the sheet, at its true size, and offer it."""
    session.drop_stale("paper_figure", list(kinds))
    with desk.figure:
        title = st.selectbox("What it shows", list(kinds), **forms.bound("paper_figure"))
        kind = kinds[title]
        chosen = _metrics(document.shown, kind)
    with desk.sheet.container(key="printed-figure"), show.part():
        with desk.figure:
            picture = kind.draw(chosen)
        sheet = asked("Drawing …", on_paper, picture, "png", paper)
        caption = " ".join(filter(None, (picture.caption, document.naming.hidden_text(document.study))))
        st.image(sheet.data, width=round(DOTS_PER_INCH * sheet.width), alt=f"{title}. {caption}")
        st.html(f"<p>Figure 1: {in_html(caption)}</p>")
        with desk.files:
            st.header("Figure")
            pictures.for_paper(picture, "-".join([kind.stem, *chosen]), "", paper)
            st.caption(f"{sheet.width:.2f} × {sheet.height:.2f} in on paper")
            show.quiet(sheet.notes, "About this figure")


def _metrics(study: Study, kind: Kind) -> Sequence[str]:
    """Return the metrics of the figure by name: the only one, or those that the visitor chooses."""
    titles = dict(zip(names_of(study), [result.scored.metric for result in study.told], strict=True))
    if len(kind.metrics) == 1:
        return kind.metrics
    options: dict[str, Any] = {"format_func": lambda name: plain(titles[name])}
    if kind.several:
        session.follow("paper_metrics", kind.metrics)
        every = list(kind.metrics)
        names = st.pills(
            "Metrics", every, selection_mode="multi", default=every, **forms.bound("paper_metrics"), **options
        )
        return [name for name in every if name in names] or every
    session.drop_stale("paper_metric", kind.metrics)
    options |= {"required": True}
    name = st.segmented_control(
        "Metric", kind.metrics, default=kind.metrics[0], **forms.bound("paper_metric"), **options
    )
    return [name or kind.metrics[0]]


def _kinds(study: Study) -> Kinds:
    """Return the kinds of figures that a study can be drawn as by itself."""
    results = dict(zip(names_of(study), study.results, strict=True))
    every = tuple(results)

    def differences(names: Sequence[str]) -> Picture:
        families = [results[name].compared for name in names]
        # Who asks for differences asks of systems: human translations are there to be chosen.
        systems = sorted(dict.fromkeys(system for family in families for system in family.order), key=is_human)
        session.drop_stale("paper_system", systems)
        chosen = st.selectbox("Differences of", systems, format_func=visible, **forms.bound("paper_system"))
        return Forest.of(families, chosen or systems[0])

    def together(names: Sequence[str]) -> Picture:
        if len(names) < 2:
            raise NotApplicable("Choose at least two metrics to compare.")
        return figures.ParallelIntervals.of(joint_statements([results[name].compared for name in names], "which"))

    side_by_side = {"Metrics side by side": Kind("together", every, together, several=True)} if len(every) > 1 else {}
    return {
        "Scores": Kind(
            "scores",
            every,
            lambda names: figures.IntervalBars.of([results[name].scored for name in names]),
            several=True,
        ),
        "Matrix": Kind("matrix", every, lambda names: Matrix.of(results[names[0]].compared)),
        "Differences from one system": Kind("differences", every, differences, several=True),
        **side_by_side,
    }


def _kinds_over_sets(study: Study) -> Kinds:
    """Return the kinds of figures that a study over several sets can be drawn as."""
    results = dict(zip(names_of(study), study.over, strict=True))
    every = tuple(results)

    def forest(names: Sequence[str]) -> Picture:
        compared = results[names[0]].compared
        best, systems = best_pair(compared), results[names[0]].scored.systems
        ordered = list(dict.fromkeys([*best, *systems]))
        first, second = questions.chosen_of(ordered, keys=(session.FIRST_OVER_SETS, session.SECOND_OVER_SETS))
        return SetForest.of(compared, first, second)

    kinds = {
        "Two systems set by set": Kind("forest", every, forest),
        "Systems × sets": Kind(
            "heat", every, lambda names: SetHeat.of(results[names[0]].compared, results[names[0]].scored)
        ),
    }
    ranked = {name: ranks for name, result in results.items() if (ranks := result.compared.ranks) is not None}
    if ranked:
        kinds["Ranks over sets"] = Kind(
            "ranks-over-sets", tuple(ranked), lambda names: RankDiagram.of(ranked[names[0]])
        )
    return kinds


def _written(exporter_name: str, document: Document, file_name: str) -> bytes:
    return one_download(exporter(exporter_name)(document).files, file_name)


def _more(corpus: Corpus, study: Study, choices: Choices, naming: Naming) -> Kinds:
    """Return the kinds that need draws: of a pair, at first that of Compare two or the two best, and by size."""
    metrics = dict(zip(names_of(study), choices.metrics, strict=True))
    every = tuple(metrics)

    def family(name: str) -> Family:
        return compute.family(compute.measured(corpus, metrics[name]), choices.settings)

    def pair(name: str) -> tuple[Family, int]:
        """Return the family and the number of the pair that is chosen, here or on Compare two, from its first side."""
        result = family(name)
        first, second = questions.chosen_of([system for system in result.order if system not in naming.hidden])
        if first == second:
            raise NotApplicable("Choose two different systems.")
        position = result.find(first, second)
        if position is None:
            raise NotApplicable(f"{first} and {second} were not compared by {metrics[name].name}.")
        return (result if result.first[position] == first else result.turned(position)), position

    def resampled(names: Sequence[str]) -> Picture:
        family_of, position = pair(names[0])
        return Histogram.of_resampled(
            compute.resampled(family_of, position),
            in_paper(family_of[position], naming.names),
            family_of.higher_is_better,
        )

    def shuffled(names: Sequence[str]) -> Picture:
        family_of, position = pair(names[0])
        if family_of.null is None:
            raise NotApplicable(f"The test by {metrics[names[0]].name} swapped no names, so there is no figure.")
        return Histogram.of_shuffled(
            family_of.null[position], in_paper(family_of[position], naming.names), family_of.higher_is_better
        )

    def sizes(names: Sequence[str]) -> tuple[SizeCurves, list[str]]:
        statistics = compute.measured(corpus, metrics[names[0]])
        chosen = _curves_of([system for system in statistics.contenders_first if system not in naming.hidden])
        size_curves = compute.curves(statistics, _ablation(statistics, choices.settings), None)
        labels = tuple(naming.names.get(label, label) for label in size_curves.labels)
        return replace(size_curves, labels=labels), [naming.names.get(name, name) for name in chosen]

    exchanging = tuple(name for name in every if (drawn := family(name)).null is not None and drawn.test.exchanges)
    kinds = {"Resampled test sets of a pair": Kind("resampled", every, resampled)}
    if exchanging:
        kinds["Swapped names of a pair"] = Kind("shuffled", exchanging, shuffled)
    kinds["Scores by size"] = Kind("sizes", every, lambda names: Curves.of_scores(*sizes(names)))
    kinds["Widths by size"] = Kind("widths", every, lambda names: Curves.of_widths(*sizes(names)))
    return kinds


def _curves_of(best_first: Sequence[str]) -> list[str]:
    """Let the visitor choose whose curves are drawn: the best and the worst system at first, no more than colours."""
    systems = ranked_systems(best_first)
    ends = list(dict.fromkeys([systems[0], systems[-1]]))
    session.keep_only("paper_systems", best_first)
    chosen = st.multiselect(
        "Curves of",
        best_first,
        default=ends,
        max_selections=MOST_CURVES,
        format_func=visible,
        **forms.bound("paper_systems"),
    )
    return chosen or ends


def _ablation(statistics: Statistics, settings: Settings) -> Ablation:
    """Return the sizes that the curves by test-set size look at, and how."""
    sizes = usable_sizes(statistics.at(settings.unit).n)
    return Ablation(sizes=sizes, level=settings.level, seed=settings.seed, unit=settings.unit)


def _methods(desk: Desk, document: Document) -> None:
    """Set the methods in short on the sheet; offer them in short and in full, with bibliography, each to be copied."""
    desk.sheet.container(key="printed-methods").html(
        # A signature is one long word, which breaks between its parts.
        f"<p>{in_html(document.summary.text).replace('|', '|<wbr>')}</p>"
    )
    with desk.files:
        st.header("Methods")
        with st.popover("Text, LaTeX and BibTeX"):
            paragraphs = {"In short": document.summary, "In full": document.methods}
            for tab, paragraph in zip(st.tabs(list(paragraphs)), paragraphs.values(), strict=True):
                texts = {"Text": paragraph.text, "LaTeX": paragraph.latex, "BibTeX": paragraph.bibtex}
                for what, text in texts.items():
                    tab.caption(what)
                    tab.code(text, language=None, wrap_lines=True)


def _table(desk: Desk, document: Document) -> None:
    """Set one table on the sheet, and offer it as LaTeX, and all of them."""
    tables = {table.title: table for some in document.printed for table in some}
    session.drop_stale("paper_table", list(tables))
    with desk.table:
        table = tables[st.selectbox("Which table", list(tables), **forms.bound("paper_table"))]
    printed = in_print(table.first(ROWS_OF_A_PAGE, "the files have all"))
    with desk.sheet.container(key=f"printed-{'wide-' if is_wide(table) else ''}table"):
        rows = html(replace(printed, caption=""))
        st.html(f'<div role="region" aria-label="Table" tabindex="0">{rows}</div>')
        st.html(f"<p>Table 1: {in_html(printed.caption)}</p>")
    with desk.files, show.part():
        st.header("Table")
        row = st.container(horizontal=True)
        for name in ("latex", "markdown", "csv", "xlsx"):
            _offer(row, name, document)
        with st.popover("LaTeX source"):
            st.code(latex_table(table), language=None, wrap_lines=True, height=360)
        if len(table.rows) > ROWS_OF_A_PAGE:
            st.caption(
                f"Its {len(table.rows):,} rows do not fit on one page, so it is a longtable over several pages. The "
                "figure Matrix shows every comparison in one picture."
            )


def _offer(row: Any, name: str, document: Document) -> None:
    exporter = EXPORTERS[name]
    endings = {"html": "report.html", "markdown": "report.md", "xlsx": "tables.xlsx", "json": "study.json"}
    file_name = endings.get(name, f"{name}.zip")
    row.download_button(
        exporter.label,
        data=lambda: _written(name, document, file_name),
        file_name=file_name,
        help=exporter.about,
        on_click="ignore",
        key=f"download-{name}",
    )


def _all_files(document: Document) -> bytes:
    chosen = [exporter for name, exporter in EXPORTERS.items() if name != "pgf"]
    return packed({name: data for exporter in chosen for name, data in exporter(document).files.items()})


show.guarded(page)
