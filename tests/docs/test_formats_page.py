"""The pages of formats and of checks say what the readers and checks say of themselves; `--renew` writes them anew."""

import pytest
from made import ROOT

from mtsig.doctor import CHECKS
from mtsig.readers import READERS
from mtsig.readers._files import _MAGIC
from mtsig.readers._frames import _MARKUP, DECODERS, FRAMES
from mtsig.readers._names import REFUSED
from mtsig.readers._rating_formats import RATING_READERS
from mtsig.readers._read import BESIDE
from mtsig.readers._runs import LOOK_ALIKES
from mtsig.readers._translators import OTHER_FORMATS

PAGE = ROOT / "docs" / "formats.md"
CHECKED = ROOT / "docs" / "checks.md"
HEAD = """# Files that are read, and files that are refused

Each row is the description that the reader of the format gives of itself. A file is recognised by its name and its
first 64 kB. Every refusal names the file and the line, what was found, what was expected, and what to do. From the
names of systems, mtsig removes only known file endings. If two names would then be the same, they keep the part that
differs.
"""


def cell_of(text: str) -> str:
    return text if text.startswith("`") else text.replace("|", "&#124;").replace("<", "&lt;").replace("*", "\\*")


def table(*rows: tuple[str, ...]) -> str:
    head, *below = [f"| {' | '.join(map(cell_of, row))} |" for row in rows]
    return "\n".join([head, "|" + "---|" * len(rows[0]), *below]) + "\n"


def page() -> str:
    """Return the page."""
    sets = [(name, reader.what) for name, reader in READERS.items()] + [("beside texts", one.what) for one in BESIDE]
    scores = [
        (
            name,
            f"`{reader.looks_like}`" if "|" not in reader.looks_like else reader.looks_like,
            ", ".join(
                said
                for said, holds in (
                    ("scores", reader.holds_scores),
                    ("checks that raters failed", not reader.holds_scores),
                    ("texts", reader.holds_texts),
                    ("raters", reader.lone_rater or reader.averaged),
                    ("direction in the name of the file", reader.directed),
                )
                if holds
            ),
            (reader.empty if reader.holds_scores else "") if reader.names_systems else "its name begins with no system",
        )
        for name, reader in RATING_READERS.items()
    ]
    logs = [
        (
            one.program,
            *(
                ", else ".join(what for what, _ in one.texts.get(role, []))
                for role in ("system", "reference", "source")
            ),
        )
        for one in DECODERS
    ]
    refused = [(f"`{suffix}`", what) for suffix, what in OTHER_FORMATS.items()]
    refused += [(f"`{suffix}`", what) for suffix, what in REFUSED.items() if suffix not in OTHER_FORMATS]
    refused += [("by its first bytes", what) for what in dict.fromkeys(_MAGIC.values())]
    refused += [("by its first lines", f"{what}: {todo}") for what, todo in _MARKUP.values()]
    refused += [("JSON", one.what) for one in LOOK_ALIKES]
    refused += [("any table or JSON", "preferences between pairs of systems: mtsig preferences reads them")]
    return "\n".join([
        HEAD,
        "## Test sets\n", table(("form", "what is taken"), *sets),
        "## Scores per segment\n", table(("format", "looks like", "taken", "refused when it"), *scores),
        "If a file of scores also contains the rated texts, these are compared with the outputs. If the order differs, "
        "scores are\nassigned to outputs by their text. If two segments with the same text make this ambiguous, the "
        "file is rejected.\n",
        "## Logs of decoders\n",
        "The output is read from the log of a program, whatever the order of its segments. If the same file is given "
        "as the\nreference or the source, these are read from it. A log that lacks some of the segments is rejected.\n",
        table(("program", "output", "reference", "source"), *logs),
        "## What surrounds the text of every line\n",
        "In some files, nearly all lines have something around the text. If exactly one text then remains per line, "
        "the rest is removed and reported; otherwise the file is rejected. mtsig recognises: "
        + "; ".join(FRAMES).replace("<", "&lt;") + ".\n",
        "## Refused\n", table(("known by", "what it is"), *refused),
    ])  # fmt: skip


def test_the_page_is_what_the_readers_say(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--renew"):
        PAGE.write_text(page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page()


def test_the_page_of_checks_lists_each(request: pytest.FixtureRequest) -> None:
    head, _, rest = CHECKED.read_text(encoding="utf-8").partition("<!-- checks -->\n")
    _, _, tail = rest.partition("<!-- end -->\n")
    listed = table(("check", "what it looks for"), *((name, check.what) for name, check in CHECKS.items()))
    expected = f"{head}<!-- checks -->\n{listed}<!-- end -->\n{tail}"
    if request.config.getoption("--renew"):
        CHECKED.write_text(expected, encoding="utf-8")
    assert CHECKED.read_text(encoding="utf-8") == expected
