"""Build the documentation: `python docs/made_pages.py` writes it into site/.

Zensical makes the site and runs no code of ours, so everything that is made of the program (the reference, the gallery,
the lessons, notebooks as pages, formulas) is written first, next to a copy of the pages. Python knows what is public,
as the names are loaded lazily.
"""

import ast
import importlib
import inspect
import json
import re
import shutil
import sys
import tempfile
import unicodedata
from dataclasses import fields, is_dataclass
from functools import cache, cached_property
from html import escape
from pathlib import Path
from typing import Any

import yaml

sys.path.insert(0, str(Path(__file__).parent))
from command_line import command_line_page
from gallery import PAINTED, gallery_files

import mtsig
from mtsig._results import Result, Tabled

HERE = Path(__file__).parent
FURTHER = tuple(
    f"mtsig.{room}"
    for room in (
        "campaign", "cli", "corpus", "explain", "figures", "gate", "meta_eval", "report", "testing",
    )
)  # fmt: skip
"""Modules with public names beside those on the face of mtsig."""


def written(folder: Path) -> Path:
    """Write all pages into a folder, those that are made among them, and return the configuration of their site."""
    pages = folder / "docs"
    shutil.copytree(HERE, pages, ignore=shutil.ignore_patterns("*.py", "__pycache__", "*.ipynb"))
    for page in pages.rglob("*.md"):
        text = page.read_text(encoding="utf-8").replace(".ipynb)", ".md)")
        page.write_text(with_formulas(text) if page.parent.name == "statistics" else text, encoding="utf-8")
    made = reference_pages() | {"reference/command-line.md": command_line_page()} | gallery_files() | lesson_pages()
    for path, content in (made | notebook_pages()).items():
        place = pages / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
    config = yaml.safe_load((HERE.parent / "mkdocs.yml").read_text(encoding="utf-8"))
    (reference,) = (group["Reference"] for group in config["nav"] if "Reference" in group)
    reference.append({"Names": [{title: path} for title, path in _titles().items()]})
    configuration = folder / "mkdocs.yml"
    configuration.write_text(json.dumps(config), encoding="utf-8")  # JSON is YAML
    return configuration


def notebook_pages() -> dict[str, str]:
    """Return path -> page of the notebooks, with what their cells showed when they were run."""
    pages = {}
    for file in sorted((HERE / "notebooks").glob("*.ipynb")):
        parts = []
        for cell in json.loads(file.read_text(encoding="utf-8"))["cells"]:
            source = "".join(cell["source"])
            parts.append(f"```python\n{source}\n```" if cell["cell_type"] == "code" else source)
            for output in cell.get("outputs", ()):
                shown = output.get("data", {"text/plain": output.get("text", "")})
                table = "".join(shown.get("text/html", "")).strip()
                parts.append(f"<div>{table}</div>" if table else f"```text\n{''.join(shown['text/plain'])}\n```")
        pages[f"notebooks/{file.stem}.md"] = "\n\n".join(parts).replace(".ipynb)", ".md)") + "\n"
    return pages


_FORMULA = re.compile(r"^```.*?^```|((?:^    (?!(?:mtsig|python|pytest)\b)[^\n]+\n)+)", re.MULTILINE | re.DOTALL)
_SIGN = re.compile(r"\s{2,}|\s|\d*\.?\d+|[^\W\d_²³¼½₀₁₂]+[\u0300-\u036f']*|.")
_ENDS = {"{": "}", "(": ")"}
_SCRIPTS = {"_": ("msub", "{"), "^": ("msup", "{(")}
"""What lowers and raises: its element, and the brackets that it does not show."""


def with_formulas(page: str) -> str:
    """Return a page whose indented formulas are MathML, which browsers typeset by themselves."""

    def displayed(block: re.Match[str]) -> str:
        if block[1] is None:  # code
            return block[0]
        lines = (
            f'<p style="overflow-x: auto"><math display="block">{typeset(line.strip())}</math></p>'
            for line in block[0].splitlines()
        )
        return "\n".join(lines) + "\n"

    return _FORMULA.sub(displayed, page)


def typeset(formula: str) -> str:
    """Return a formula as MathML: _ and ^ lower and raise what follows, √ covers it; brackets hold it together."""
    signs = _SIGN.findall(formula)

    def row(until: str) -> str:
        parts: list[str] = []
        while signs and signs[0] != until:
            sign = signs.pop(0)
            if sign in _SCRIPTS and parts:
                element, hidden = _SCRIPTS[sign]
                parts.append(f"<{element}>{parts.pop()}{held(hidden)}</{element}>")
            elif sign in "²³" and parts:
                parts.append(f"<msup>{parts.pop()}<mn>{unicodedata.normalize('NFKC', sign)}</mn></msup>")
            else:
                parts.append(f"<msqrt>{held('{(')}</msqrt>" if sign == "√" else single(sign))
        del signs[:1]
        return "".join(parts)

    def held(hidden: str) -> str:
        sign = signs.pop(0)
        if sign not in _ENDS:
            return single(sign)
        inner = row(_ENDS[sign])
        return f"<mrow>{inner if sign in hidden else single(sign) + inner + single(_ENDS[sign])}</mrow>"

    def single(sign: str) -> str:
        if sign.isspace():
            return f'<mspace width="{2 if len(sign) > 1 else 0.25}em"/>'
        kind = "mn" if sign[-1] in "0123456789" else "mi" if sign[0].isalpha() else "mo"
        attribute = ' stretchy="false"' if kind == "mo" else ""
        return f"<{kind}{attribute}>{escape(sign)}</{kind}>"

    return f"<mrow>{row('')}</mrow>"


def lesson_pages() -> dict[str, bytes]:
    """Return path -> page of the lessons, as `mtsig lessons --to web` writes them; where nothing is painted, of one."""
    from mtsig import read_sample
    from mtsig.lessons import LESSONS, Classroom, kit_files

    chosen = {} if PAINTED else {"lessons": LESSONS[5:6]}
    files, _ = kit_files(Classroom.of(read_sample()), ("web",), **chosen)
    return {f"learn/{name}": page for name, page in files.items()}


def _titles() -> dict[str, str]:
    """Return the title of each page of the reference, with its path."""
    # The module mtsig.study and the class mtsig.Study are one file where case does not matter.
    modules = {f"mtsig.{name}" for name in mtsig.__all__ if inspect.ismodule(getattr(mtsig, name))} | set(FURTHER)
    faces = {f"mtsig.{name}": f"reference/{name}.md" for name in mtsig.__all__}
    return faces | {name: f"reference/{name.replace('.', '-')}.md" for name in sorted(modules)}


def reference_pages() -> dict[str, str]:
    """Return path -> Markdown: one page for every public name of mtsig, and one for each further module."""
    pages, rows = {}, []
    for title, path in _titles().items():
        module, _, name = title.rpartition(".")
        thing = importlib.import_module(title) if title in FURTHER else getattr(importlib.import_module(module), name)
        pages[path] = f"# {title}\n\n" + (_of_module(thing) if inspect.ismodule(thing) else described(name, thing))
        rows.append(f"| [{title}]({path.removeprefix('reference/')}) | {_first_sentence(thing)} |")
    head = "# Reference\n\nEvery public name, described by its own docstring. Examples are run as tests.\n\n"
    pages["reference/index.md"] = head + "| name | what it is |\n|---|---|\n" + "\n".join(rows) + "\n"
    return pages


def _of_module(module: Any) -> str:
    parts = [prose(inspect.getdoc(module) or "")]
    for name in sorted(_names(module), key=str.lower):
        thing = getattr(module, name)
        if not inspect.ismodule(thing):
            parts.append(f"## {name}\n\n{described(name, thing)}")
    return "\n\n".join(parts)


def _names(module: Any) -> list[str]:
    return getattr(module, "__all__", None) or [
        name
        for name, thing in vars(module).items()
        if name[0] != "_" and getattr(thing, "__module__", "") == module.__name__
    ]


def _first_sentence(thing: Any) -> str:
    if not (inspect.ismodule(thing) or inspect.isroutine(thing) or inspect.isclass(thing)):
        return f"`{thing!r}`"
    return escaped((inspect.getdoc(thing) or "").split("\n\n")[0].replace("\n", " ")).replace("|", "\\|")


def described(name: str, thing: Any) -> str:
    """Return the signature and the docstring of a name, with the fields and methods of a class, as Markdown."""
    if not (inspect.isroutine(thing) or inspect.isclass(thing)):
        # Values: a table of methods shows its names, anything else itself, unless it is too long to read.
        text = ", ".join(map(str, thing)) if isinstance(thing, dict | list | tuple) else repr(thing)
        return f"```\n{text if len(text) < 2000 else type(thing).__name__}\n```\n"
    parts = []
    if (call := _call(name, thing)) is not None:
        parts.append(f"```python\n{call}\n```")
    parts.append(prose(inspect.getdoc(thing) or ""))
    parts += [linked(parts[0])] if call is not None else []
    parts.append(source(thing))
    if inspect.isclass(thing):
        # What a docstring describes as parameters stands there.
        parts += [] if "\nParameters\n" in str(thing.__doc__) else _options(thing)
        # Results are written and indexed in ways of their bases, which have no page.
        bases = [kind for kind in (Result, Tabled) if issubclass(thing, kind)]
        shared = {name: one for kind in bases for name, one in vars(kind).items() if name not in vars(thing)}
        for attribute, member in (vars(thing) | shared).items():
            inner = member.__func__ if isinstance(member, classmethod | staticmethod) else member
            if attribute[0] == "_" or not (inspect.isfunction(inner) or isinstance(member, property | cached_property)):
                continue
            doc = inspect.getdoc(inner) or ""
            said = f".{attribute}" if isinstance(member, property | cached_property) else _call(f".{attribute}", inner)
            # Not headings: the contents would drown in them.
            parts.append(f"```python\n{said}\n```\n\n{prose(doc)}")
    return "\n\n".join(part for part in parts if part)


def _call(name: str, thing: Any) -> str | None:
    """Return how it is called, in as many lines as it needs; None for what has no signature."""
    try:
        signature = inspect.signature(thing)
    except (TypeError, ValueError):
        return None
    kept = [parameter for key, parameter in signature.parameters.items() if key not in ("self", "cls")]
    text = re.sub(r"<[^<>]* at 0x[0-9a-f]+>", "…", f"{name}{signature.replace(parameters=kept)}")
    # Names of modules say little, and are long.
    text = re.sub(r"\b(?:[a-z_]\w*\.)+(?=[A-Za-z_])", "", text)
    return text if len(text) <= 100 else _in_lines(text)


def _in_lines(text: str) -> str:
    """Return a call with a line for every argument."""
    depth, out = 0, ""
    for sign in text:
        depth -= sign in ")]}"
        out += "\n" if sign == ")" and depth == 0 else ""
        out += sign
        depth += sign in "([{"
        out += "\n    " if (sign == "(" and depth == 1) or (sign == "," and depth == 1) else ""
    return out.replace("\n     ", "\n    ")


def _options(thing: Any) -> list[str]:
    """Return the table of a class's options; other fields stand in its prose."""
    chosen = [one for one in fields(thing) if "label" in one.metadata] if is_dataclass(thing) else []
    rows = [f"| `{one.name}` | `{one.default!r}` | {escaped(one.metadata['help'])} |" for one in chosen]
    return ["\n".join(["| option | default | what it does |", "|---|---|---|", *rows])] if rows else []


@cache
def _pages() -> dict[str, str]:
    """Return public name -> its page among those of the reference, and the place there."""
    found: dict[str, str] = {}
    for title, path in reversed(_titles().items()):
        thing = importlib.import_module(title) if title in FURTHER else getattr(mtsig, title.removeprefix("mtsig."))
        page = path.removeprefix("reference/")
        if inspect.ismodule(thing):
            found |= {name: f"{page}#{name.lower()}" for name in _names(thing)}
        else:
            found[title.removeprefix("mtsig.")] = page
    return found


def linked(call: str) -> str:
    """Return the public types that a call names, with links to what they are."""
    named = dict.fromkeys(name for name in re.findall(r"[A-Z]\w+", call) if name in _pages())
    return "Types: " + ", ".join(f"[{name}]({_pages()[name]})" for name in named) if named else ""


def source(thing: Any) -> str:
    """Return the source of a class or function, folded away."""
    thing = inspect.unwrap(thing)
    file = Path(inspect.getsourcefile(thing) or "")
    lines, places = _definitions(file)
    first, last = places[thing.__qualname__]
    where = file.relative_to(HERE.parent) if file.is_relative_to(HERE.parent) else file.name
    text = escape("\n".join(lines[first - 1 : last]))
    shown = f"<summary>Source: {where}, line {first}</summary><pre><code>{text}</code></pre>"
    return f"<details data-search-exclude>{shown}</details>"


@cache
def _definitions(file: Path) -> tuple[list[str], dict[str, tuple[int, int]]]:
    """Return a file's lines, and the first and last line of what it defines: inspect reads a file for every class."""
    text = file.read_text(encoding="utf-8")
    found = [one for one in ast.parse(text).body if isinstance(one, ast.ClassDef | ast.FunctionDef)]
    first = {one.name: min(part.lineno for part in (one, *one.decorator_list)) for one in found}
    return text.split("\n"), {one.name: (first[one.name], one.end_lineno or 0) for one in found}


_SECTIONS = ("Parameters", "Returns", "Yields", "Raises", "See Also", "Notes", "References", "Examples")
_LISTED = ("Parameters", "Returns", "Yields", "Raises")
"""Sections of numpydoc; of those that are listed every entry has a head, as in `level : float`, and indented text."""


def escaped(text: str) -> str:
    """Return prose as Markdown that shows it: what stands in backticks is code, nothing else has a meaning."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part[:1] == "`" else re.sub(r"([\\*_<>\[\]#|~])", r"\\\1", part) for part in parts)


def prose(doc: str) -> str:
    """Return a docstring as Markdown: paragraphs, sections under their titles, examples as code, entries as lists."""
    lines, out, section = doc.split("\n"), [], ""
    at = 0
    while at < len(lines):
        line, below = lines[at], lines[at + 1] if at + 1 < len(lines) else ""
        if line.lstrip().startswith(">>> "):
            block = []
            while at < len(lines) and lines[at].strip():
                block.append(lines[at].strip() if not block else lines[at][len(line) - len(line.lstrip()) :])
                at += 1
            out += ["", "```pycon", *block, "```", ""]
            continue
        if line in _SECTIONS and below == "-" * len(line):
            section = line
            out += ["", f"**{section}**", ""]
            at += 1
        elif section in _LISTED and line.strip() and not line.startswith(" "):
            name, colon, kind = line.partition(" : ")
            named = re.fullmatch(r"\**\w+(, \**\w+)*", name)
            head = f"`{name}`{': ' if colon else ''}{escaped(kind)}" if named else escaped(line)
            out.append(f"- {head}{'.' if colon else ':' if below.startswith(' ') else ''}")
        elif section in _LISTED and line.startswith(" "):
            out.append(f"  {escaped(line.strip())}")
        elif reference := re.match(r"\.\. \[(\d+)\] (.*)", line):
            out.append(f"- [{reference[1]}] {escaped(reference[2])}")
        else:
            # Deeper lines are formulas, or go on with a list.
            out.append(line if line.startswith("    ") else escaped(line))
        at += 1
    return re.sub(r"\\\[(\d+)\\\]\\_", r"[\1]", "\n".join(out))


def main() -> None:
    """Build the site; the picture that the README shows is made again, too."""
    from zensical import build  # only here: the pages are made without it

    site = HERE.parent / "site"
    with tempfile.TemporaryDirectory() as folder:
        build(str(written(Path(folder))), {"strict": True, "clean": False})
        shutil.rmtree(site, ignore_errors=True)
        shutil.move(Path(folder, "site"), site)
    shutil.copy(site / "matrix.png", HERE)


if __name__ == "__main__":
    main()
