#!/usr/bin/env python3
"""Make systems/ and more_systems/ again: translate source.txt with the Apertium pipelines of the Debian packages."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
MODES = Path("/usr/share/apertium/modes")
SEGMENTS = 200

# Folder -> system name -> the translation modes to run one after the other.
SYSTEMS: dict[str, dict[str, tuple[str, ...]]] = {
    "systems": {
        "direct": ("spa-eng",),
        "direct-us": ("spa-eng_US",),
        "via-catalan": ("spa-cat", "cat-eng"),
        "via-esperanto": ("es-eo", "eo-en"),
        "via-galician": ("es-gl", "gl-en"),
    },
    "more_systems": {
        "via-aragonese": ("spa-arg", "arg-cat", "cat-eng"),
        "via-catalan-us": ("spa-cat", "cat-eng_US"),
        "via-portuguese": ("es-pt", "pt-gl", "gl-en"),
    },
}

# Translation mode -> the Debian package that holds it.
PACKAGES: dict[str, str] = {
    "spa-eng": "apertium-eng-spa",
    "spa-eng_US": "apertium-eng-spa",
    "spa-arg": "apertium-spa-arg",
    "arg-cat": "apertium-arg-cat",
    "spa-cat": "apertium-spa-cat",
    "cat-eng": "apertium-eng-cat",
    "cat-eng_US": "apertium-eng-cat",
    "es-gl": "apertium-es-gl",
    "gl-en": "apertium-en-gl",
    "es-pt": "apertium-es-pt",
    "pt-gl": "apertium-pt-gl",
    "es-eo": "apertium-eo-es",
    "eo-en": "apertium-eo-en",
}

# Debian's es-eo mode names a folder that does not exist; the data lie in the second one.
WRONG_FOLDER, RIGHT_FOLDER = "/apertium/apertium-eo-es/", "/apertium/apertium-es-eo/"


def check_installed() -> None:
    """Stop with a plain message if a command or a language package is missing."""
    missing = {package for mode, package in PACKAGES.items() if not (MODES / f"{mode}.mode").is_file()}
    if shutil.which("apertium") is None:
        missing.add("apertium")
    if missing:
        sys.exit(f"Not installed. As root, run: apt-get install {' '.join(sorted(missing))}")


def copy_modes(data: Path) -> None:
    """Copy the mode files that are used into data/modes, with the wrong folder name put right."""
    (data / "modes").mkdir()
    for mode in PACKAGES:
        text = (MODES / f"{mode}.mode").read_text(encoding="utf-8")
        if WRONG_FOLDER in text and not Path("/usr/share" + WRONG_FOLDER).is_dir():
            text = text.replace(WRONG_FOLDER, RIGHT_FOLDER)
        (data / "modes" / f"{mode}.mode").write_text(text, encoding="utf-8")


def translate(lines: list[str], mode: str, data: Path) -> list[str]:
    """Translate the lines in one run; an empty line after each keeps the engine from joining them."""
    run = subprocess.run(
        ["apertium", "-u", "-d", str(data), mode],
        check=False,
        input="".join(f"{line}\n\n" for line in lines),
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "LC_ALL": "C.UTF-8", "APERTIUM_TRANSFUSE": "no"},
    )
    if run.returncode != 0 or run.stderr.strip():
        sys.exit(f"apertium {mode} failed (Debian package {PACKAGES[mode]}): {run.stderr.strip()}")
    output = [line.strip() for line in run.stdout.strip().split("\n\n")]
    if len(output) != len(lines) or any(not line or "\n" in line for line in output):
        sys.exit(f"apertium {mode}: {len(lines)} lines went in, but not as many came out whole")
    return output


def main() -> None:
    """Write every systems/*.txt and more_systems/*.txt from source.txt."""
    check_installed()
    source = (HERE / "source.txt").read_text(encoding="utf-8").splitlines()
    if len(source) != SEGMENTS:
        sys.exit(f"source.txt has {len(source)} lines, not {SEGMENTS}")
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        copy_modes(data)
        for folder_name, systems in SYSTEMS.items():
            (HERE / folder_name).mkdir(exist_ok=True)
            for name, modes in systems.items():
                lines = source
                for mode in modes:
                    lines = translate(lines, mode, data)
                path = HERE / folder_name / f"{name}.txt"
                path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
                print(f"{path.relative_to(HERE)}: {len(lines)} lines ({' | '.join(modes)})")


if __name__ == "__main__":
    main()
