"""Limits: a refusal names the flag that raises them, and the flag does; normal forms of long texts."""

import json
import re
import subprocess
import sys
import unicodedata
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import pytest
from kept import Kept, worded
from limited import GB, limited, mtsig
from made import ROOT, sealed
from sampled import sampled, slow

from mtsig import read
from mtsig._limits import limits, normalized
from mtsig.cli import main


def files(folder: Path) -> list[str]:
    for name, text in {"ref": "a b c\nd\n", "x": "a b\nd\n"}.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return ["--ref", str(folder / "ref.txt"), "--sys", str(folder / "x.txt")]


@pytest.mark.parametrize(
    ("flag", "few", "enough", "said"),
    [
        ("--max-segments", "1", "2", "ref.txt: found 2 lines; at most 1 are allowed"),
        ("--max-bytes", "3", "8", "ref.txt: found 8 bytes; at most 3 are allowed"),
        ("--max-characters", "4", "5", "ref.txt, segment 1: found 5 characters; at most 4 are allowed"),
        ("--max-tokens", "2", "3", "ref, segment 1: found 3 words; at most 2 are allowed"),
    ],
)
def test_a_limit_is_set_by_its_flag(
    flag: str, few: str, enough: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = limits()
    named = ["score", *files(tmp_path), "--metric", "ter", "--no-cache"]
    assert main([*named, flag, few]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert f"use {flag} N" in err
    assert main([*named, flag, enough]) == 0
    assert limits() == before


LANGUAGES = [
    "en",
    "de",
    "fr",
    "es",
    "it",
    "nl",
    "pt",
    "ru",
    "zh",
    "ja",
    "ko",
    "ar",
    "hi",
    "tr",
    "pl",
    "cs",
    "sv",
    "da",
    "fi",
    "no",
]


def of_many_pairs(form: str) -> str:
    """Return a table of texts in 19 pairs of languages, or in 20 columns of languages, of which en-de is one."""
    names = ["lp", "source", "ref", "ours", "base"]
    rows = [
        [f"en-{other}", f"source number {i}", f"reference {i} into {other}", f"output {i} into {other}", f"{i} {other}"]
        for other, i in product(LANGUAGES[1:], range(30))
    ]
    if form == "columns.tsv":
        names = [*LANGUAGES, "ours"]
        rows = [[*(f"text {i} in {name} here" for name in LANGUAGES), f"text {i} in de there"] for i in range(30)]
    if form.endswith(".jsonl"):
        return "".join(f"{json.dumps(dict(zip(names, row, strict=True)))}\n" for row in rows)
    mark = "," if form.endswith(".csv") else "\t"
    return "".join(f"{mark.join(row)}\n" for row in [names, *rows])


@sampled("form", ["table.tsv", "table.csv", "objects.jsonl", "columns.tsv"], most=4)
def test_of_many_language_pairs_the_one_that_is_asked_for_counts(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / form).write_text(of_many_pairs(form), encoding="utf-8")
    asked = ["score", "--data", str(tmp_path), "--metric", "bleu", "--no-cache", "--format", "csv"]
    assert main([*asked, "--max-cells", "700"]) == 2
    assert "--lp" in (said := capsys.readouterr().err) or "--max-cells" in said
    assert main([*asked, "--lp", "en-de"]) == 0
    whole = capsys.readouterr().out
    assert main([*asked, "--lp", "en-de", "--max-cells", "700"]) == 0
    assert capsys.readouterr().out == whole
    corpus = read(tmp_path, language_pair="en-de")
    assert (len(corpus), corpus.outputs["ours"][0][-3:]) == (30, {"columns.tsv": "ere"}.get(form, " de"))
    # Of what is not there the message names what is.
    assert main([*asked, "--lp", "en-xx"]) == 2
    worded(capsys.readouterr().err, "'en-xx'")


@pytest.mark.parametrize("number", ["0", "-1", "many", "9" * 30, "9" * 5000])
def test_a_limit_that_is_none_is_told(
    number: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], kept: Kept
) -> None:
    assert main(["read", "--data", str(tmp_path), "--max-bytes", number]) == 2
    err = capsys.readouterr().err
    kept("dashboard", err)
    assert len(err) < 500


@pytest.mark.parametrize("number", ["²", "9" * 5000, "0"])
def test_a_number_of_workers_that_is_none_is_told(number: str, capsys: pytest.CaptureFixture[str], kept: Kept) -> None:
    assert main(["experiment", "references", "--workers", number]) == 2
    kept("dashboard", capsys.readouterr().err)


BOUNDED = """
import resource
resource.setrlimit(resource.{kind}, ({most}, {most}))
resource.setrlimit(resource.RLIMIT_CPU, (40, 40))
from mtsig.__main__ import main
raise SystemExit(main())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds the address space")
@pytest.mark.parametrize(
    ("megabytes", "kind"),
    [
        (307, "RLIMIT_AS"),
        (60, "RLIMIT_DATA"),
        (420, "RLIMIT_DATA"),
        *slow(*((size, "RLIMIT_AS") for size in (100, 200, 399, 420, 600))),
    ],
)
def test_a_gate_with_little_memory_says_so_or_judges(megabytes: int, kind: str) -> None:
    """The libraries end a process with the code of a regression, or spin, where they get no memory."""
    sample = ["--data", str(ROOT / "sample_data" / "es-en"), "--metric", "chrf", "--no-cache"]
    asked = ["gate", *sample, "--baseline", "direct", "--candidate", "via-esperanto"]
    code = BOUNDED.format(kind=kind, most=megabytes * 10**6)
    done = subprocess.run([sys.executable, "-c", code, *asked], capture_output=True, text=True, timeout=200)
    assert done.returncode == (2 if megabytes < 400 else 1), done.stderr[-500:]
    assert "Traceback" not in done.stderr
    assert ("needs 400 MB or more" in done.stderr) == (megabytes < 400)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds the address space")
@pytest.mark.parametrize(("kind", "code"), [("plan", 2), ("study", 5)])
def test_ten_million_resamples_that_a_file_asks_for_are_refused_at_once(
    kind: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / {"plan": "plan.toml", "study": "study.json"}[kind]
    sample, few = ["--data", "sample_data/es-en"], ["--metric", "chrf", "--resamples", "999"]
    if kind == "plan":
        assert main(["plan", *few]) == 0
        text = capsys.readouterr().out.replace("n_resamples = 999", "n_resamples = 10_000_000")
        place.write_text(text, encoding="utf-8")
        asked = ["compare", *sample, "--plan", str(place)]
    else:
        assert main(["compare", "--data", str(ROOT / "sample_data" / "es-en"), *few, "-o", str(place)]) == 0
        text = re.sub(r'"n_resamples": ?999', '"n_resamples": 10000000', place.read_text(encoding="utf-8"))
        place.write_text(sealed(json.loads(text)), encoding="utf-8")
        asked = ["report", str(place), *sample, "--to", "json", "--out", str(tmp_path / "out")]
    code_of_main = "import sys; from mtsig.cli import main; raise SystemExit(main(sys.argv[1:]))"
    done = limited(code_of_main, *asked, memory=1.0 * GB, seconds=8)
    said = done.stdout + done.stderr
    assert done.returncode == code, said[-800:]
    worded(said, "10,000,000 resamples", "5 scores", "6,710,886 resamples")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds the address space")
def test_ten_million_resamples_for_each_test_of_an_audit_are_refused_at_once() -> None:
    sample = ["--data", "sample_data/es-en", "--metric", "chrf", "--pair", "direct", "via-esperanto"]
    done = mtsig("audit", *sample, "--resamples", 10_000_000, memory=1.0 * GB, seconds=8)
    assert done.returncode == 2
    said = "10,000,000 resamples with 36 scores each are too many. At most 932,067 resamples are possible"
    assert said in done.stderr


SIGNS = [*"a é한ｗﬁ👩", *"\u1112\u1161\u11ab\u0301\u0327\u0323\u0915\u094d\u200d"]


@pytest.mark.parametrize("form", ["NFC", "NFKC", "NFKD"])
def test_texts_have_the_normal_form_of_unicode(form: str) -> None:
    rng = Random(0)
    for length in (0, 1, 50, 1_001, 5_000):
        text = "".join(rng.choices(SIGNS, k=length))
        assert normalized(form, text) == unicodedata.normalize(form, text)  # type: ignore[arg-type]


@pytest.mark.parametrize("marks", [99, 100])
def test_long_texts_with_as_many_marks_as_are_ordered_at_once(marks: int) -> None:
    text = "x" * 1_000 + "a" + "\u0301\u0327" * (marks // 2) + "\u0301" * (marks % 2) + "e\u0301"
    assert normalized("NFC", text) == unicodedata.normalize("NFC", text)


def test_of_more_marks_on_a_character_none_is_lost() -> None:
    text = "e\u0301" + "y" * 1_000 + "a" + "\u0301\u0327" * 50_000 + "e\u0301"
    formed = normalized("NFC", text)
    assert formed.startswith("éy")
    assert formed.endswith("é")
    # The first acute accent is part of "á"; every other mark stays.
    assert formed.count("\u0327") == 50_000
    assert unicodedata.normalize("NFD", formed[:1_100]).count("\u0301") >= 50


@cache
def _rated(folder: Path) -> Path:
    """Write ratings of 250 systems by six raters, a metric beside them, and preferences."""
    rng = Random(0)
    (folder / "ratings").mkdir()
    tables = {"DA": "system\tsegment\trater\tDA", "COMET": "system\tsegment\tCOMET"}
    for system, segment in product(range(250), range(20)):
        value, rater = system / 50 + rng.gauss(0, 1), rng.randrange(6)
        tables["DA"] += f"\ns{system}\t{segment}\tr{rater}\t{value:.3f}"
        tables["COMET"] += f"\ns{system}\t{segment}\t{value + rng.gauss(0, 1):.3f}"
    for name, table in tables.items():
        (folder / "ratings" / f"{name}.tsv").write_text(table + "\n", encoding="utf-8")
    lines = []
    for number in range(20_000):
        first, second = rng.sample(range(250), 2)
        row = {"item": number // 20, "judge": f"r{number % 7}", "model_a": f"s{first}", "model_b": f"s{second}"}
        lines.append(json.dumps({**row, "winner": rng.choice(["model_a", "model_b", "tie"])}))
    (folder / "verdicts.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


MANY = "31,125 comparisons of 250 systems are too many; at most 20,000 are made together. Compare fewer systems"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds the address space")
@pytest.mark.parametrize(
    ("verb", "said"),
    [
        ("meta-eval", f"{MANY}."),
        ("delta", f"{MANY}."),
        ("preferences", f"{MANY}, or compare each pair on its own (--strengths direct)."),
        ("raters", "resamples of the effects of 256 systems and raters take too long; at most 2,048 resamples"),
    ],
)
def test_more_systems_than_all_pairs_are_made_of_are_refused_before_the_work(
    verb: str, said: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = _rated(tmp_path_factory.getbasetemp())
    given = [folder / "verdicts.jsonl"] if verb == "preferences" else [folder / "ratings", "--human", "DA"]
    done = mtsig(verb, "--data", *given, memory=1.5 * GB, seconds=12)
    assert done.returncode == (0 if verb == "raters" else 2), done.stderr[-800:]
    assert said in done.stderr
    assert bool(done.stdout) == (verb == "raters")
