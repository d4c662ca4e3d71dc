"""What is loaded when: names, help and scores wait for no library that they do not use; a missing one is named."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from kept import worded

from mtsig.errors import EXTRAS

ROOT = Path(__file__).resolve().parents[1]

HEAVY = {
    "conllu", "jinja2", "matplotlib", "numpy", "openpyxl", "pandas", "plotly", "rapidfuzz", "regex",
    "rich", "sacrebleu", "scipy", "shtab", "snowballstemmer", "streamlit",
}  # fmt: skip
"""Libraries that take long to load, or that many never need."""

UNSCORED = (HEAVY - {"numpy", "regex", "rich", "sacrebleu", "scipy"}) | {
    "mtsig.figures",
    "mtsig.lab",
    "mtsig.report.schema",
    "scipy.optimize",
    "scipy.sparse",
    "scipy.spatial",
    "scipy.stats",
}
"""What no score is made with; sacreBLEU itself loads regex."""


def _loaded(code: str) -> set[str]:
    """Return the modules that a fresh Python has loaded after running the code."""
    after = "\nimport sys\nprint('\\n'.join(['', '=' * 9, *sys.modules]))"
    found = subprocess.run([sys.executable, "-c", code + after], check=True, capture_output=True, text=True, cwd=ROOT)
    return set(found.stdout.split("=" * 9)[1].split())


def _loaded_by(*arguments: str) -> set[str]:
    """Return the modules that the command has loaded when it ends."""
    return _loaded(
        "import contextlib\nfrom mtsig.cli import main\n"
        f"with contextlib.suppress(SystemExit):\n    main({list(arguments)!r})"
    )


def test_importing_the_library_loads_no_other() -> None:
    assert _loaded("import mtsig") & HEAVY == set()


def test_the_help_loads_no_library_and_no_verb() -> None:
    loaded = _loaded_by("--help")
    assert loaded & HEAVY == set()
    assert not {"mtsig.cli._compare", "mtsig.cli._reading", "mtsig.metrics", "mtsig.corpus"} & loaded


def test_a_start_of_the_dashboard_waits_for_nothing_that_its_own_process_loads_again() -> None:
    become = "import os; os.execv = lambda *_: 0"
    start = "from mtsig.cli import main\nassert main(['dashboard', '--server.headless=true']) == 0"
    assert _loaded(f"{become}\n{start}") & (HEAVY | {"mtsig.readers"}) == set()


def test_an_unknown_verb_is_refused_without_loading_any() -> None:
    assert _loaded_by("scor") & HEAVY == set()


STEPS = {
    "read": "assert main(['read', '--data', 'sample_data/es-en']) == 0",
    "score": "assert main(['score', '--data', 'sample_data/es-en', '--no-cache']) == 0",
    "compare": "assert main(['compare', '--data', 'sample_data/es-en', '--no-cache']) == 0",
    "notebook": "import mtsig\n"
    "found = mtsig.Settings().family(mtsig.measure(mtsig.read_sample(), 'bleu'))\n"
    "assert 'mtsig.report._shown' not in sys.modules\n"
    "assert '<table' in found._repr_html_()",
}
"""What is done in one Python, one after the other: each step needs at least what those before it have loaded."""


@pytest.fixture(scope="module")
def after() -> dict[str, set[str]]:
    """Return the modules that are loaded after each of the steps."""
    code = "import sys\nfrom mtsig.cli import main\n"
    for step in STEPS.values():
        code += f"{step}\nprint('\\n'.join(['', '=' * 9, *sys.modules, '=' * 9]))\n"
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=ROOT)
    parts = found.stdout.split(f"\n{'=' * 9}\n")[1::2]
    return {name: set(part.split()) for name, part in zip(STEPS, parts, strict=True)}


def test_reading_loads_no_distributions(after: dict[str, set[str]]) -> None:
    assert "mtsig.corpus" in after["read"]
    assert after["read"] & (UNSCORED | {"scipy.special"}) == set()


def test_a_score_loads_what_it_is_made_with(after: dict[str, set[str]]) -> None:
    assert {"numpy", "sacrebleu", "mtsig.metrics"} <= after["score"]
    assert after["score"] & UNSCORED == set()


def test_a_comparison_by_default_needs_little_of_scipy(after: dict[str, set[str]]) -> None:
    assert "mtsig.inference" in after["compare"]
    assert after["compare"] & {"scipy.optimize", "scipy.stats", "pandas", "plotly", "matplotlib", "mtsig.lab"} == set()


@pytest.mark.slow
def test_the_lab_loads_one_experiment_when_one_is_named() -> None:
    loaded = _loaded("from mtsig.lab import Orderings")
    assert "mtsig.lab._blind_spots" in loaded
    assert not {"mtsig.lab._error_rates", "mtsig.lab._words", "scipy.stats"} & loaded


@pytest.mark.slow
def test_pages_draw_for_the_screen_without_what_draws_on_paper() -> None:
    results = (
        "from mtsig import Settings, measure, read_sample; from mtsig.metrics import METRICS\n"
        "from mtsig.figures import Histogram, Matrix\n"
        "family = Settings().family(measure(read_sample(), METRICS['bleu']))\n"
        "pair = next(iter(family)); drawn = Histogram.of_resampled(family.resampled(0), pair)\n"
        "for picture in (Matrix.of(family), drawn):\n"
        "    picture.screen()\n"
    )
    loaded = _loaded(f"import mtsig_dashboard.parts.bar, mtsig_dashboard.parts.questions\n{results}")
    assert "plotly" in loaded
    assert not {"matplotlib", "fontTools", "mtsig.lessons._course"} & loaded


def test_a_result_finds_its_writer_when_a_notebook_shows_it(after: dict[str, set[str]]) -> None:
    assert "mtsig.report._shown" not in after["compare"]
    assert "mtsig.report._shown" in after["notebook"]


@pytest.mark.slow
def test_a_name_that_is_a_module_too_stays_the_name() -> None:
    code = "import mtsig.collection._compare\n"
    code += "from mtsig.collection import compare\n"
    assert _loaded(code + "assert callable(compare)")


def _finder(libraries: tuple[str, ...]) -> str:
    """Return code after which Python does not find some libraries."""
    return (
        "import sys\n"
        "class Missing:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.partition('.')[0] in {libraries!r}:\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Missing())\n"
    )


def _without(libraries: tuple[str, ...], code: str) -> "subprocess.CompletedProcess[str]":
    """Run code in a fresh Python that does not find some libraries."""
    command = [sys.executable, "-c", _finder(libraries) + code]
    return subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT)


MADE = (
    "import mtsig\nfrom mtsig.study import Request, conduct\n"
    "settings = mtsig.Settings(n_resamples=100)\n"
    "found = settings.family(mtsig.measure(mtsig.read_sample(), 'bleu'))\n"
    "study = conduct(mtsig.read_sample(), Request((mtsig.metric('bleu'),), settings))\n"
)
"""What is there before a library is missed; none of those that are missed is loaded by it."""

EXPORTED = "from mtsig.report import Document, exporter\n"
USES = {
    "fpdf": (
        "report",
        "import mtsig\nfrom mtsig.lessons import LESSONS, Classroom\nfrom mtsig.lessons import kit_files\n"
        "kit_files(Classroom.of(mtsig.read_sample()), ['pdf'], LESSONS[:1])",
    ),
    "fsspec": ("parquet", "from mtsig.study import read_counts\nread_counts('memory://counts.parquet')"),
    "jinja2": ("report", EXPORTED + "exporter('html')(Document(study))"),
    "matplotlib": ("figures", "from mtsig.figures import Matrix"),
    "openpyxl": ("excel", EXPORTED + "exporter('xlsx')(Document(study))"),
    "pandas": ("frames", "found.to_frame()"),
    "plotly": ("figures", "from mtsig.lab import of_experiment"),
    "pyarrow": ("parquet", "from mtsig.study import read_counts\nread_counts('counts.parquet')"),
    "streamlit": ("dashboard", "from mtsig.cli import main\nraise SystemExit(main(['dashboard']))"),
}
"""For every library of an extra: the extra that brings it alone, and code that needs it."""


def test_every_library_of_an_extra_is_missed_once() -> None:
    assert set(USES) == {library for _, libraries in EXTRAS.values() for library in libraries}


EACH = (
    MADE + "import json, os, sys, traceback, warnings\n"
    "warnings.simplefilter('ignore', DeprecationWarning)  # of forks beside threads\n"
    "for library, finder, code in json.load(sys.stdin):\n"
    "    assert library not in sys.modules, library\n"
    "    sys.stderr.flush()\n"
    "    if child := os.fork():\n"
    "        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])\n"
    "        print(f'=== {library} {ended}', file=sys.stderr)\n"
    "        continue\n"
    "    exec(finder)\n"
    "    try:\n"
    "        exec(code)\n"
    "    except SystemExit as end:\n"
    "        ended = end.code or 0\n"
    "    except Exception:\n"
    "        traceback.print_exc()\n"
    "        ended = 1\n"
    "    else:\n"
    "        ended = 0\n"
    "    sys.stderr.flush()\n"
    "    os._exit(ended)\n"
)
"""Python that has made a study, and a copy of it for every library that is not there: a second instead of one each."""


@pytest.fixture(scope="module")
def missed() -> dict[str, tuple[int, str]]:
    """Return, for every library, how the code that needs it ends without it, and what it says."""
    cases = [(library, _finder((library,)), code) for library, (_, code) in USES.items()]
    told = subprocess.run(
        [sys.executable, "-c", EACH], input=json.dumps(cases), check=False, capture_output=True, text=True, cwd=ROOT
    ).stderr
    parts = re.split(r"^=== (\w+) (\d+)\n", told, flags=re.MULTILINE)
    return {library: (int(code), said) for said, library, code in zip(*(parts[i::3] for i in range(3)), strict=False)}


@pytest.mark.parametrize("library", sorted(USES))
def test_a_missing_library_is_told_with_the_extra_that_brings_it(
    library: str, missed: dict[str, tuple[int, str]]
) -> None:
    extra, code = USES[library]
    ended, said = missed[library]
    last = said.splitlines()[-1]
    assert ended
    worded(last, library, extra)
    # In Python as an error of ours, in the shell as one line.
    assert last.startswith("mtsig: " if "main(" in code else "mtsig.errors.ProgramError: ")


def test_a_lean_installation_reads_scores_compares_and_opens_a_workbook(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["ref", "ours"])
    book.active.append(["one", "won"])
    book.save(tmp_path / "set.xlsx")
    verbs = "[main([verb, '--data', 'sample_data/es-en', '--no-cache']) for verb in ('score', 'compare')]"
    code = f"from mtsig.cli import main\nassert {verbs} == [0, 0]\n"
    code += f"raise SystemExit(main(['read', '--data', {str(tmp_path)!r}]))"
    found = _without(tuple(USES), code)
    assert (found.returncode, "Highest BLEU" in found.stdout) == (0, True), found.stderr
    assert "Excel sheet" in found.stdout


def test_only_formats_that_draw_need_what_draws(tmp_path: Path) -> None:
    code = MADE + (
        "import sys, warnings\nfrom pathlib import Path\nfrom mtsig.cli import main\n"
        f"place = Path({str(tmp_path)!r})\n"
        "study.save(place / 'study.json')\n"
        "texts = ('csv', 'markdown', 'latex', 'json')\n"
        "told = [main(['report', f'{place}/study.json', '--to', name, '-o', f'{place}/{name}']) for name in texts]\n"
        "told += [main(['report', f'{place}/study.json', '-o', f'{place}/default'])]\n"
        "told += [main(['report', f'{place}/study.json', '--to', 'pdf', '-o', f'{place}/pdf'])]\n"
        "study.report(place / 'alone.md')\n"
        "assert told == [0, 0, 0, 0, 0, 2], told\n"
    )
    found = _without(tuple(USES), code)
    assert found.returncode == 0, found.stderr
    assert {file.name for file in (tmp_path / "csv").iterdir()} >= {"scores.csv", "comparisons.csv"}
    assert (tmp_path / "alone.md").read_text(encoding="utf-8").startswith("# Results")
    assert sorted(file.name for file in (tmp_path / "default").iterdir()) == [
        "methods-short.tex", "methods.tex", "references.bib", "study.json", "tables-more.tex", "tables.tex",
    ]  # fmt: skip
    said = " ".join(found.stderr.split())
    worded(said, "Report", "Figures", "PDF")


@pytest.mark.slow
def test_a_web_page_without_what_draws_has_all_but_its_figures(tmp_path: Path) -> None:
    code = MADE + f"study.report({str(tmp_path / 'report.html')!r})"
    found = _without(("plotly", "matplotlib"), code)
    assert found.returncode == 0, found.stderr
    said = "without figures. Figures need plotly, matplotlib, not installed here: install mtsig with its extra figures"
    assert said in " ".join(found.stderr.split())
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<h2>Methods</h2>" in page
    assert "<svg" not in page


def test_the_extras_bring_the_libraries_that_they_are_named_for() -> None:
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    brought = asked["optional-dependencies"]

    def libraries(extra: str) -> set[str]:
        found: set[str] = set()
        for one in brought[extra]:
            name, _, more = one.partition("[")
            inside = more.partition("]")[0].split(",") if name == "mtsig" else []
            found |= {library for part in inside for library in libraries(part)}
            found |= set() if inside or name == "sacrebleu" else {one.partition(">")[0].partition("=")[0]}
        return found

    called = {"fpdf2": "fpdf"}  # in Python
    assert {extra: {called.get(name, name) for name in libraries(extra)} for extra in EXTRAS} == {
        extra: set(names) for extra, (_, names) in EXTRAS.items()
    }
    assert libraries("all") == libraries("dashboard")
    assert "mtsig[all]" in brought["test"]
