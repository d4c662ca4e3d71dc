"""A WordNet of a few words, made on the spot in the format of WordNet's files."""

from pathlib import Path

LICENCE = "  1 This is no licence; real ones begin so. WordNet 3.0 Copyright nobody\n  2 Its lines are indented.\n"

INDEX = {
    # lemma, part of speech, synsets, pointers and their symbols, senses, tagged senses, and the synsets' numbers
    "noun": [
        "car n 1 1 @ 1 1 02958343", "auto n 1 1 @ 1 0 02958343", "motor_vehicle n 1 1 @ 1 0 03791235",
        "mouse n 2 2 @ ~ 2 1 02330245 10335563", "rat n 1 1 @ 1 1 02332156", "bus n 2 2 @ ~ 2 1 02924116 02958343",
        "city n 1 0 1 1 08524735", "metropolis n 1 0 1 1 08524735",
    ],
    "verb": [
        "buy v 1 2 @ ~ 1 1 02207206", "purchase v 1 2 @ ~ 1 1 02207206", "begin v 2 0 2 2 00345761 02608347",
        "start v 2 0 2 2 02608347 00348746", "use v 1 0 1 1 01158872", "apply v 1 0 1 1 01158872",
    ],
    "adj": ["big a 1 1 ! 1 1 01382086", "large a 1 1 ! 1 1 01382086", "fast a 1 0 1 1 00976508"],
    "adv": ["fast r 1 0 1 1 00085811", "quickly r 1 0 1 1 00085811"],
}  # fmt: skip

EXCEPTIONS = {
    "noun": ["mice mouse"],
    "verb": ["bought buy", "began begin"],
    "adj": ["bigger big"],
    "adv": [],
}


def make_wordnet(folder: Path) -> Path:
    """Write the files into the folder and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    for part, lines in INDEX.items():
        text = LICENCE + "".join(f"{line}  \n" for line in lines)
        (folder / f"index.{part}").write_text(text, encoding="utf-8")
        (folder / f"{part}.exc").write_text("".join(f"{line}\n" for line in EXCEPTIONS[part]), encoding="utf-8")
    return folder
