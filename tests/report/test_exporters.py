"""The report in HTML: whole in one file, every name as text, and readable without the program."""

import re
import subprocess
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from made import flat, made_corpus
from papers import (
    NAMES,
    PAPER,
    Words,
    compiled,
    html_text,
    made_study,
    named,
    no_latex,
    planned_study,
    squeezed,
)

from mtsig import Settings, audit, compare_runs, measure, metric, power_analysis, ranks, size_curve
from mtsig.campaign import Preferences, plan_sample, preferences
from mtsig.citations import REFERENCES
from mtsig.collection import Sets
from mtsig.collection import compare as compare_sets
from mtsig.collection import measure as measure_sets
from mtsig.explain import explain
from mtsig.figures import IntervalBars
from mtsig.report import EXPORTERS, Document, latex_table, verdict_text
from mtsig.report._campaign import preference_tables, sample_table
from mtsig.report._paper import paper_tables
from mtsig.report._shown import tables_of
from mtsig.segments import Ablation, overview
from mtsig.study import Request, Study, conduct


@pytest.fixture(scope="module")
def study() -> Study:
    return made_study()


@pytest.fixture(scope="module")
def page(study: Study) -> str:
    return EXPORTERS["html"](Document(study)).files["report.html"].decode()


def tags(page: str) -> list[str]:
    reader = Words()
    reader.feed(page)
    return reader.tags


class Attributes(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self.found += [(key, value or "") for key, value in attrs]


def attributes(page: str) -> list[tuple[str, str]]:
    reader = Attributes()
    reader.feed(page)
    return reader.found


def test_nothing_in_the_page_could_ask_outside(page: str) -> None:
    assert not {"script", "link", "img", "iframe", "object", "embed", "video", "form"} & set(tags(page))
    links = [value for key, value in attributes(page) if key in ("href", "src", "xlink:href", "action", "srcset")]
    assert links
    assert all(link.startswith("#") for link in links)
    assert not re.search(r"@import|url\((?!#)", page)
    assert "default-src 'none'" in page


def test_every_id_stands_once_and_every_link_has_its_target(page: str) -> None:
    ids = [value for key, value in attributes(page) if key == "id"]
    assert len(ids) == len(set(ids))
    used = {value[1:] for key, value in attributes(page) if key in ("href", "xlink:href")}
    used |= set(re.findall(r"url\(#([^)]+)\)", page))
    assert used <= set(ids)


def test_every_verdict_every_table_and_every_figure_is_there(study: Study, page: str) -> None:
    text = squeezed(html_text(page))
    for finding in study.results:
        for one in finding.compared.by_score():
            assert squeezed(verdict_text(one, planned=False)) in text
    for table in paper_tables(study):
        assert squeezed(table.caption) in text
        for column, *cells in zip(table.columns, *table.rows, strict=True):
            assert all(column.text(cell.value) in text for cell in cells)
    assert tags(page).count("svg") == tags(page).count("figure") == 5
    assert flat(study.plain())["data"]["digest"] in text


def test_numbers_in_the_figures_are_text(page: str) -> None:
    assert page.count("<text") > 50


def test_markup_in_names_stays_text() -> None:
    names = ("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "{{ 7 * 7 }}", *NAMES[:2])
    page = EXPORTERS["html"](Document(made_study(names))).files["report.html"].decode()
    assert "script" not in tags(page)
    assert "img" not in tags(page)
    assert not [key for key, _ in attributes(page) if key.startswith("on")]
    assert "49" not in page.split("<body>")[1][:300]
    text = squeezed(html_text(page))
    for name in names:
        assert name in text


def test_an_exploratory_report_says_so_at_the_top_and_a_planned_one_too(page: str) -> None:
    assert page.index("Exploratory: ") < page.index("In short")
    planned = EXPORTERS["html"](Document(planned_study())).files["report.html"].decode()
    assert planned.index("Planned: ") < planned.index("In short")


def test_warnings_stand_before_results(page: str, study: Study) -> None:
    warning = next(note.text for note in study.all_notes if note.level == "warning")
    assert squeezed(html_text(page)).index(warning[:60]) < squeezed(html_text(page)).index("In short")


def test_a_best_score_is_called_separated_only_where_it_was_compared_with_all() -> None:
    # Against a baseline, the best-scoring system was never compared with most of the others.
    study = conduct(
        made_corpus(n=120, systems=4, documents=0),
        Request(made_study().asked.metrics, Settings(n_resamples=200), "sys3"),
    )
    text = squeezed(html_text(EXPORTERS["html"](Document(study)).files["report.html"].decode()))
    assert "better than every" not in text
    assert "Highest BLEU: sys0" in text


def test_more_pictures_are_drawn_too(study: Study) -> None:
    bars = IntervalBars.of(study.results[0].scored)
    more = {"extra": replace(bars, panels=(replace(bars.panels[0], title="EXTRA bars"),))}
    page = EXPORTERS["html"](Document(study, more)).files["report.html"].decode()
    assert "EXTRA bars" in squeezed(html_text(page))


def test_a_report_prints_without_breaking_figures(page: str) -> None:
    assert "@media print" in page
    assert "break-inside: avoid" in page


def test_every_figure_says_folded_how_it_is_read_and_nothing_of_a_page(study: Study, page: str) -> None:
    folded = re.findall(
        r"<details class=\"small\"><summary>How to read this</summary>\n(.*?)</details>", page, re.DOTALL
    )
    pictures = Document(study).pictures.values()
    told = [" ".join(explain(picture.how_to_read).replace("*", "").split()) for picture in pictures]
    assert told
    assert [" ".join(unescape(re.sub(r"<.*?>", "", text)).split()) for text in folded] == told
    assert "bars overlap.</b>" in page
    assert not re.search(r"\b(click|keyboard|sidebar)\b", " ".join(told), re.IGNORECASE)


ACL = PAPER.replace(
    r"\begin{document}",
    r"""\setlength{\textwidth}{16cm}\setlength{\textheight}{24.7cm}\setlength{\columnsep}{0.6cm}
\setlength{\columnwidth}{7.7cm}\sloppy\hbadness=10000
\begin{document}""",
)
"""The measures that ACL publishes for its style: A4, Times of 11 points, two columns of 7.7 cm with .6 cm between them.

acl.sty itself is not installed with LaTeX; the columns of article are wider (`PAPER`, in other tests).
"""


@pytest.mark.parametrize(
    ("names", "metrics"),
    [
        ([f"newstest2021.{name}-with-a-rather-long-name.{i}.ru-en" for i, name in enumerate("ABC")], "bleu chrf"),
        ([f"{'x' * 5000}{i}" for i in range(3)], "bleu"),
        (["base", "ours", "theirs"], "bleu chrf ter sentbleu wer nist rouge-l gtm"),
    ],
    ids=["long names", "endless names", "many metrics"],
)
def test_no_line_of_a_table_is_too_long_in_latex(
    names: list[str], metrics: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if reason := no_latex():
        pytest.skip(reason)
    study = conduct(
        named(made_corpus(n=60, systems=3), tuple(names)),
        Request(tuple(map(metric, metrics.split())), Settings(n_resamples=100)),
    )
    files = EXPORTERS["latex"](Document(study)).files
    monkeypatch.setattr("papers.PAPER", ACL)
    compiled(files, tmp_path)
    log = (tmp_path / "paper.log").read_text(encoding="utf-8", errors="replace")
    assert re.findall(r"Overfull.*|Dimension too large", log) == []
    assert "Warning--" not in (tmp_path / "paper.blg").read_text(encoding="utf-8", errors="replace")
    whole = [line for line in files["tables.tex"].decode().splitlines() if line.startswith("%")]
    assert all(any(line.endswith(f" is {name}") for line in whole) for name in names if len(name) > 28)
    # What is not LaTeX has names as they are.
    assert all(name in EXPORTERS["csv"](Document(study)).files["scores.csv"].decode() for name in names)


@pytest.mark.slow
def test_signatures_fit_a_line_of_one_column_in_latex(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if reason := no_latex():
        pytest.skip(reason)
    study = conduct(made_corpus(n=60), Request(tuple(map(metric, ("chrf", "bleu", "ter"))), Settings(n_resamples=100)))
    files = EXPORTERS["latex"](Document(study)).files
    assert b"\n% Needs \\usepackage{natbib}.\nWe evaluated" in files["methods.tex"]
    monkeypatch.setattr("papers.PAPER", PAPER.replace("[11pt,a4paper,twocolumn]", ""))
    compiled(files, tmp_path)
    log = (tmp_path / "paper.log").read_text(encoding="utf-8", errors="replace")
    assert re.findall(r"Overfull.*", log) == []


@pytest.mark.parametrize("length", [5000, pytest.param(40, marks=pytest.mark.slow)])
def test_the_tables_of_every_result_fit_their_column_in_latex(length: int, tmp_path: Path) -> None:
    if reason := no_latex():
        pytest.skip(reason)
    names = [f"{'newstest2021.a-rather-long-name-' * 200}"[:length] + f"{i}.ru-en" for i in range(4)]
    corpus = named(made_corpus(n=60, systems=4, documents=12), tuple(names))
    counted, settings = measure(corpus, "bleu"), Settings(n_resamples=100)
    family = settings.family(counted)
    sets = Sets.of({f"{'s' * length}{j}": corpus for j in range(2)})
    rows = [
        {"item": f"{i}", "document": f"{i % 12}", "rater": f"{'r' * length}{i % 3}", "first": names[i % 3],
         "second": names[(i + 1) % 3], "outcome": (i % 5 > 1) - (i % 5 == 0), "ordered": False}
        for i in range(120)
    ]  # fmt: skip
    judged = preferences(Preferences.of(rows))
    results = (
        family, settings.intervals(counted), ranks(family), audit(counted, *names[:2], settings),
        power_analysis(counted, *names[:2], 1.0), size_curve(counted, Ablation(sizes=(0.5, 1.0), repeats=4)),
        compare_runs(counted, "A", "B", {"A": names[:2], "B": names[2:]}), family[0],
        overview(corpus, counted, *names[:2], top=5), compare_sets(measure_sets(sets, "bleu"), settings),
    )  # fmt: skip
    tables = [table for result in results for table in tables_of(result)]
    tables += [*preference_tables(judged), sample_table(plan_sample(corpus, 20))]
    body = "\n\n".join(map(latex_table, tables))
    files = {"tables.tex": body, "paper.tex": re.sub(r"\\(?:bib|input\{m).*\n", "", ACL)}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    told = subprocess.run(command, check=False, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert told.returncode == 0, told.stdout[-3000:]
    assert re.findall(r"Overfull.*|Dimension too large", told.stdout) == []


def test_everything_that_is_cited_has_a_year() -> None:
    assert [key for key, work in REFERENCES.items() if not re.fullmatch(r"\d{4}", work.year)] == []
