"""The reference of the command line, made from its parsers when the site is built."""

import argparse
import os
from unittest.mock import patch

from mtsig.cli._verbs import CODES, VERBS, parser_of

HEAD = """# Command line

`mtsig --help` lists the verbs. `mtsig VERB --help` shows the common options of a verb, and `--help-all` all options. An
option has the same name, meaning and default in every verb, except that experiments use the defaults of papers.

- The result goes to stdout, as a table, Markdown, JSON or CSV (`--format`), and into files and folders (`-o`, `--out`).
  Notes and progress go to stderr, unless `-q` is given. Progress bars and bold headers appear on terminals only;
  `NO_COLOR` turns colours off.
- `mtsig VERB --schema` prints the JSON Schema of what `--format json` prints. `mtsig compare` prints a
  [study](../study-format.md). The schema of `gate` also describes a line of the ledger (`$defs.LedgerLine`), and that
  of `compare` the file of joint statements (`$defs.Statements`).

## Exit codes

| code | meaning |
|---|---|
"""


def command_line_page() -> str:
    """Return the page: exit codes, and every verb with all its options."""
    with patch.dict(os.environ, {"COLUMNS": "110"}):
        (verbs,) = (one for one in parser_of(VERBS)._actions if isinstance(one, argparse._SubParsersAction))
        parts = [HEAD + "".join(f"| {code} | {words} |\n" for code, words in CODES.items())]
        for name, verb in VERBS.items():
            parser = verbs.choices[name]
            parser.epilog = parser.epilog.partition("exit codes:")[0]
            parts.append(f"## {name}\n\n{verb.words}\n\n```text\n{parser.long_help().rstrip()}\n```\n")
    return "\n".join(parts)
