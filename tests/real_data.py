"""Fetch the public sets that tests read, and lay them out as these expect: `python tests/real_data.py FOLDER`.

Then `MTSIG_SHARED=FOLDER pytest`. Each set comes from the repository of those who made it, in the state on which the
numbers of tests/golden were made. Most state no licence, or allow research: they are fetched, and never redistributed.

    FOLDER/data/SET/        as `mtsig --data` reads it
    FOLDER/repositories/    what was fetched

What is not here cannot be fetched, and its tests are skipped: human ratings and scores that were put together from
several archives (wmt20-en-de-scores, wmt21-ted-zh-en, wmt25-ja-zh, ratings of wmt21-ru-en and wmt21-en-de), refB of
wmt21-en-de, and files that were made for single tests (cases, attacks, preferences, mtme, parts of sgm and wmt-xml).
"""

import re
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from mtsig._downloads import Archive, Download, fetch

ADDRESS = "https://github.com/{}/archive/{}.tar.gz"


@dataclass(frozen=True)
class Part:
    """Files of a repository, by the form of their path in it, and where they go."""

    repository: str
    commit: str
    path: str
    place: str


WMT21 = ("wmt-conference/wmt21-news-systems", "f41750dadbf2ba6ab01ca5380347d253298a3427")
WMT22 = ("wmt-conference/wmt22-news-systems", "20240a2e96a50e823ea8cdf37fd8af52547146e3")
WMT23 = ("wmt-conference/wmt23-news-systems", "99b5b9de2a535c2c5542fd4ec404682903299894")
COMPARE_MT = ("neulab/compare-mt", "b6d8f79d02043243c3d8aa58373a0f4c55e17a69")
MULTEVAL = ("jhclark/multeval", "bd93ed16197af93dce6ff3273efa04b9cc9d13ce")
MOSES = ("moses-smt/mosesdecoder", "master")

SEVERAL = ("en-cs", "en-de", "en-hr", "en-ja", "en-ru", "en-uk", "en-zh")
IN_SEVERAL = "Lan-Bridge|Online-[ABGWY]|JDExploreAcademy"
"""The systems of WMT22 that are in most of its sets."""


CALLED = {
    "BUPT_rush_ende_5": "BUPT_rush", "NeMo": "NVIDIA-NeMo", "UEDIN": "UEdin", "VTrans": "VolcTrans-AT",
    "happypoet_system_en-de_02": "happypoet", "nuclear_trans_en-de_2": "nuclear_trans", "wmt21_team_zero": "ICL",
}  # fmt: skip
"""Names of files of WMT21, as its tables call the systems."""


def of_wmt(
    repository: tuple[str, str],
    stem: str,
    pair: str,
    place: str,
    systems: str = "(?!Watermelon).+",
    refs: str = "[A-D]",
) -> Iterator[Part]:
    """Yield the texts of a direction: sources, references and outputs in files of their own."""
    source, target = pair.split("-")
    named = re.escape(f"{stem}.{pair}.")
    outputs = rf"txt/system-outputs/{named}hyp\.(?P<name>{systems})\.{target}"
    yield Part(*repository, rf"txt/sources/{named}src\.{source}", f"{place}/source.txt")
    yield Part(*repository, rf"txt/references/{named}ref\.(?P<name>{refs})\.{target}", f"{place}/refs/ref{{name}}.txt")
    yield Part(*repository, outputs, f"{place}/systems/{{name}}.txt")


COMPARED = r"example/(?P<name>(?:ted|sum)\.(?:ref|sys1|sys2|orig)(?:\.detok)?\.(?:eng|slk))"
SEVERAL_PARTS = [
    part
    for pair in SEVERAL
    for part in of_wmt(WMT22, "generaltest2022", pair, f"wmt22-several/{pair}", IN_SEVERAL, "A")
]
PARTS = (
    *of_wmt(WMT21, "newstest2021", "ru-en", "wmt21-ru-en"),
    *of_wmt(WMT21, "newstest2021", "en-de", "wmt21-en-de"),
    *of_wmt(WMT22, "generaltest2022", "en-zh", "wmt22-en-zh"),
    *SEVERAL_PARTS,
    Part(*WMT22, r"txt/references/generaltest2022\.en-hr\.ref\.(?:A|stud)\.hr", "wmt22-several/en-hr/refs/refA.txt"),
    Part(*WMT23, r"txt/.*generaltest2023\.ru-en\.hyp\.PROMT\.en", "pitfalls/wmt23.ru-en.hyp.PROMT.en"),
    Part(*WMT23, r"txt/.*generaltest2023\.ru-en\.ref\.refA\.en", "pitfalls/wmt23.ru-en.refA.en"),
    Part(*COMPARE_MT, COMPARED, "compare-mt/{name}"),
    Part(*MULTEVAL, r"example/(?P<name>(?:hyps|refs)\.[^/]*\.(?:opt[012]|0))", "multeval-example/{name}"),
    Part(*MOSES, r"scripts/ems/example/data/(?P<name>test-[^/]+\.sgm)", "sgm/moses-ems-example/{name}"),
)
DOCUMENTS = {
    "wmt21-ru-en": (WMT21, "xml/newstest2021.ru-en.all.xml"),
    "wmt22-en-zh": (WMT22, "xml/wmttest2022.en-zh.all.xml"),
    "wmt22-several/en-zh": (WMT22, "xml/wmttest2022.en-zh.all.xml"),
    "wmt22-several/en-hr": (WMT22, "xml/wmttest2022.en-hr.all.xml"),
}
"""Where the documents of a set are named: in the XML that it was published as."""


def fetched(repository: str, commit: str, folder: Path, address: str = ADDRESS) -> Path:
    """Return the archive of a repository, fetched where it is not here."""
    file = folder / f"{repository.replace('/', '-')}-{commit}.tar.gz"
    fetch(Download(repository, "a repository", (Archive(address.format(repository, commit), file),)))
    return file


def lay_out(archives: dict[tuple[str, str], Path], data: Path) -> None:
    """Write the sets from the archives of their repositories."""
    for key, archive in archives.items():
        own = [part for part in PARTS if (part.repository, part.commit) == key]
        with tarfile.open(archive) as packed:
            for member in packed:
                path, content = member.name.partition("/")[2], packed.extractfile(member)
                places = [
                    part.place.format(name=called(found)) for part in own if (found := re.fullmatch(part.path, path))
                ]
                sets = [name for name, where in DOCUMENTS.items() if where == (key, path)]
                text = content.read() if content is not None and (places or sets) else b""
                for place in places:
                    write(data / place, text)
                for name in sets:
                    write(data / name / "docids.txt", "".join(f"{one}\n" for one in documents(text)).encode())
    several = data / "wmt22-several"
    for place in sorted(several.glob("*")):
        if not (place / "docids.txt").exists():
            write(place / "docids.txt", "".join(f"{one}\n" for one in placed(several / "en-zh", place)).encode())


def called(found: re.Match[str]) -> str:
    """Return the name in a path, as the system or the reference is called."""
    name = found.groupdict().get("name") or ""
    return CALLED.get(name, name)


def write(place: Path, content: bytes) -> None:
    """Write a file, and the folders above it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)


def documents(xml: bytes) -> Iterator[str]:
    """Yield the document of every segment; those of test suites are left out."""
    for document in ElementTree.fromstring(xml).iter("doc"):
        if "testsuite" not in document.attrib:
            source = document.find("src")
            yield from [document.attrib["id"]] * len(list(source.iter("seg")) if source is not None else [])


def placed(known: Path, place: Path) -> Iterator[str]:
    """Yield the documents of a set that has those of another one in an order of its own: by their source lines."""
    lines = [(folder / "source.txt").read_text(encoding="utf-8").split("\n")[:-1] for folder in (known, place)]
    ids = (known / "docids.txt").read_text(encoding="utf-8").split("\n")[:-1]
    texts: dict[str, list[str]] = {}
    for name, line in zip(ids, lines[0], strict=True):
        texts.setdefault(name, []).append(line)
    at = 0
    while at < len(lines[1]):
        name = next(name for name, text in texts.items() if lines[1][at : at + len(text)] == text)
        yield from [name] * len(texts[name])
        at += len(texts.pop(name))


def main() -> None:
    """Fetch and lay out everything."""
    folder = Path(sys.argv[1])
    keys = dict.fromkeys((part.repository, part.commit) for part in PARTS)
    lay_out({key: fetched(*key, folder / "repositories") for key in keys}, folder / "data")
    for name in sorted({part.place.partition("/")[0] for part in PARTS}):
        files = [file for file in (folder / "data" / name).rglob("*") if file.is_file()]
        print(f"{name}: {len(files)} files")


if __name__ == "__main__":
    main()
