"""What the documentation makes of the program when it is built: the reference, the gallery, and the lessons.

A hook of MkDocs (mkdocs.yml); Python, not MkDocs, knows what is public, as the names are loaded lazily.
"""

import importlib
import inspect
import re
import sys
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

sys.path.insert(0, str(Path(__file__).parent))
from command_line import command_line_page
from gallery import PAINTED, gallery_files

FURTHER = tuple(
    f"mtsig.{room}"
    for room in (
        "campaign", "cli", "corpus", "explain", "figures", "gate", "lessons", "meta_eval", "preference", "report",
        "segments", "collection",
    )
)  # fmt: skip
"""Modules with public names beside those on the face of mtsig."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the pages that are made into the navigation."""
    # A copy: `mkdocs serve` configures itself again and again.
    names = [{title: path} for title, path in _titles().items()]
    made = [{"All names": "reference/index.md"}, {"Command line": "reference/command-line.md"}, *names]
    config.nav = [*(config.nav or []), {"Reference": made}]
    config.nav.append({"Gallery": "gallery.md"})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made."""
    made = reference_pages() | {"reference/command-line.md": command_line_page()} | gallery_files() | lesson_pages()
    for path, content in made.items():
        files.append(File.generated(config, path, content=content))
    return files


def lesson_pages() -> dict[str, bytes]:
    """Return path -> page of the lessons, as `mtsig lessons --to web` writes them; where nothing is painted, of one."""
    from mtsig import read_sample
    from mtsig.lessons import LESSONS, Classroom, kit_files

    chosen = {} if PAINTED else {"lessons": LESSONS[5:6]}
    files, _ = kit_files(Classroom.of(read_sample()), ("web",), **chosen)
    return {f"learn/{name}": page for name, page in files.items()}


def _titles() -> dict[str, str]:
    """Return the title of each page of the reference, with its path."""
    import mtsig

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
    names = getattr(module, "__all__", None) or [
        name
        for name, thing in vars(module).items()
        if name[0] != "_" and getattr(thing, "__module__", "") == module.__name__
    ]
    parts = [prose(inspect.getdoc(module) or "")]
    for name in sorted(names, key=str.lower):
        thing = getattr(module, name)
        if not inspect.ismodule(thing):
            parts.append(f"## {name}\n\n{described(name, thing)}")
    return "\n\n".join(parts)


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
    if inspect.isclass(thing):
        # What a docstring describes as parameters stands there.
        parts += [] if "\nParameters\n" in str(thing.__doc__) else _options(thing)
        for attribute, member in vars(thing).items():
            inner = member.__func__ if isinstance(member, classmethod | staticmethod) else member
            if attribute[0] == "_" or not (inspect.isfunction(inner) or isinstance(member, property)):
                continue
            doc = inspect.getdoc(inner) or ""
            said = f".{attribute}" if isinstance(member, property) else _call(f".{attribute}", inner)
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
