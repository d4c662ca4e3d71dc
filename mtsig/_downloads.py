"""What sacreBLEU can download: a name goes in, what it is and whether it is here comes out; fetched only when asked.

Test sets are called as sacreBLEU calls them, with a language pair (wmt24/en-de); models of tokenizers are called like
the tokenizer (flores200). Everything lies in sacreBLEU's own folder, so that what it has fetched before is here
already. Where it comes from is sacreBLEU's to say, at run time.
"""

import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import sacrebleu.dataset
import sacrebleu.tokenizers.tokenizer_spm
import sacrebleu.utils

from mtsig.errors import NotApplicable, ProgramError, UnknownName, said_by

# What sacreBLEU declares of their types is not what they are.
_sets: Any = sacrebleu.dataset
_spm: Any = sacrebleu.tokenizers.tokenizer_spm
_utils: Any = sacrebleu.utils

LEARNED = _spm.SPM_MODELS
"""Tokenizers that have a model to download, by name."""

PATIENCE = 60.0
"""Seconds to wait for a server that says nothing."""


@dataclass(frozen=True)
class Archive:
    """One file to download: where from, where to, and what sacreBLEU knows of it."""

    url: str
    file: Path
    md5: str | None = None

    @property
    def is_here(self) -> bool:
        """Whether it was downloaded; an empty file is what a broken download leaves behind."""
        return self.file.is_file() and self.file.stat().st_size > 0


@dataclass(frozen=True)
class Download:
    """Something that can be fetched: its name, what it is, and the files it is made of."""

    name: str
    what: str
    archives: tuple[Archive, ...]
    unpacked: Path | None = None

    @property
    def is_here(self) -> bool:
        """Whether all of it was fetched."""
        return all(archive.is_here for archive in self.archives)

    @property
    def hosts(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(urlparse(archive.url).netloc or "this computer" for archive in self.archives))


def find_download(name: str) -> Download:
    """Return what can be fetched under a name: a tokenizer's model, or a test set with or without language pair."""
    if name in LEARNED:
        return _model(name)
    return _test_set(_sets.DATASETS[name if name in _sets.DATASETS else _named(name)[0]])


def _split(name: str) -> tuple[str | None, str]:
    """Return sacreBLEU's name of a test set and the language pair, or None."""
    dataset, slash, pair = name.rpartition("/")
    if not slash or dataset not in _sets.DATASETS:
        return None, ""
    if pair not in _sets.DATASETS[dataset].langpairs:
        known = ", ".join(sorted(_sets.DATASETS[dataset].langpairs))
        raise UnknownName(f"The test set {dataset} has no language pair {pair!r}. Known: {known}.")
    return dataset, pair


def _named(name: str) -> tuple[str, str]:
    """Return sacreBLEU's name of a test set and the language pair."""
    dataset, pair = _split(name)
    if dataset is not None:
        return dataset, pair
    known = [*LEARNED, *_sets.DATASETS]
    near = get_close_matches(name, known, n=1) or get_close_matches(name.rpartition("/")[0], known, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise UnknownName(
        f"sacreBLEU has no test set or model called {name!r}.{hint} To list all of them: mtsig download --list"
    )


def is_test_set(name: str) -> bool:
    """Return whether a name is a test set with a language pair, such as wmt24/en-de."""
    return _split(name)[0] is not None


def public_sets() -> Iterator[tuple[Download, tuple[str, ...]]]:
    """Yield every test set that sacreBLEU knows, with its language pairs."""
    for dataset in _sets.DATASETS.values():
        yield _test_set(dataset), tuple(sorted(dataset.langpairs))


def models() -> Iterator[Download]:
    """Yield the models of tokenizers that sacreBLEU knows, each under one name."""
    seen = set()
    for name in LEARNED:
        download = _model(name)
        if download.archives not in seen:
            seen.add(download.archives)
            yield download


def texts_of(name: str) -> dict[str, Path]:
    """Return the texts of a fetched test set by sacreBLEU's names of them: src, ref:A, docid, and the systems."""
    dataset, pair = _named(name)
    known = _sets.DATASETS[dataset]
    download = _test_set(known)
    if not download.is_here:
        raise NotApplicable(
            f"{name} is a public test set ({download.what}) that is not on this computer yet. To download it: mtsig "
            f"download {name}"
        )
    try:
        # Everything it would download is here, so this unpacks and converts only.
        return dict(zip(known.fieldnames(pair), map(Path, known.get_files(pair)), strict=True))
    except (OSError, ValueError, KeyError, AssertionError, SyntaxError, SystemExit) as error:
        why = said_by(error, "it gives no reason", 200)
        raise ProgramError(
            f"sacreBLEU cannot read {name} in {download.unpacked}: {why}. Delete that folder and download it again: "
            f"mtsig download {name}"
        ) from None


def preferred_references(name: str) -> tuple[str, ...]:
    """Return the references against which sacreBLEU scores a test set when nothing is said, by its names of them."""
    dataset, pair = _named(name)
    allowed = getattr(_sets.DATASETS[dataset], "_get_langpair_allowed_refs", None)
    return tuple(allowed(pair)) if allowed is not None else ()


def check_tokenizer(name: str) -> None:
    """Check that one of LEARNED can be used without a download."""
    lacks = []
    if find_spec("sentencepiece") is None:
        lacks.append("the package sentencepiece (the extra spm of mtsig)")
    if not _model(name).is_here:
        lacks.append(f"its SentencePiece model; to download it: mtsig download {name}")
    if lacks:
        raise NotApplicable(f"The tokenizer {name} cannot be loaded yet. It needs {'; and '.join(lacks)}")


def advice_on_model(name: str) -> str:
    """Return what to do when the model of one of LEARNED is here and cannot be loaded."""
    file = _model(name).archives[0].file
    return f". Its model may be incomplete: delete {file}, and download it again: mtsig download {name}"


def fetch(download: Download) -> list[Path]:
    """Download what is missing, through sacreBLEU, and return the files."""
    for archive in download.archives:
        if archive.is_here:
            continue
        try:
            with _patience():
                _utils.download_file(archive.url, str(archive.file), _folder(download), archive.md5)
        except (OSError, ValueError, SystemExit, EOFError) as error:
            archive.file.unlink(missing_ok=True)
            raise ProgramError(_why(download, archive, error)) from None
        except BaseException:
            # Stopped half-way: what is there is no test set.
            archive.file.unlink(missing_ok=True)
            raise
    return [item.file for item in download.archives]


def size_of(download: Download) -> int | None:
    """Return the bytes that are still to be fetched, as the servers say; None where one does not say."""
    import urllib.request  # here, because it loads what speaks TLS, and nothing else asks a network

    total = 0
    for archive in download.archives:
        if archive.is_here:
            continue
        try:
            request = urllib.request.Request(archive.url, method="HEAD")
            with urllib.request.urlopen(request, timeout=PATIENCE / 6) as answer:
                total += int(answer.headers["Content-Length"])
        except (OSError, ValueError, TypeError):
            return None
    return total


def _folder(download: Download) -> str | None:
    return None if download.unpacked is None else str(download.unpacked)


def _why(download: Download, archive: Archive, error: BaseException) -> str:
    import urllib.error  # here, as above

    where = urlparse(archive.url).netloc or archive.url
    reason = getattr(error, "reason", error)
    if isinstance(error, SystemExit):
        return (
            f"{download.name}: the file from {where} is not what sacreBLEU expects (wrong checksum, or wrong "
            "certificate of the connection). Try again later. If the error remains, the file was changed at its source."
        )
    if isinstance(error, urllib.error.HTTPError):
        return f"{download.name}: {where} answers {error.code} ({error.reason}). It may have moved; update sacrebleu."
    return (
        f"{download.name} cannot be downloaded from {where}: {' '.join(str(reason).split())}. Is there a network? On "
        f"a computer with a network, the same command fills {archive.file.parent}, which can be copied here."
    )


@contextmanager
def _patience() -> Iterator[None]:
    """Let a server that says nothing be given up: sacreBLEU would wait for ever."""
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(PATIENCE)
    try:
        yield
    finally:
        socket.setdefaulttimeout(before)


def _model(name: str) -> Download:
    url = LEARNED[name]["url"]
    file = Path(_spm.SACREBLEU_DIR, "models", url.rpartition("/")[2])
    signature = LEARNED[name]["signature"]
    return Download(name, f"SentencePiece model of the tokenizer {signature}", (Archive(url, file),))


def _test_set(dataset: Any) -> Download:
    raw = Path(dataset._rawdir)
    checksums: Sequence[str | None] = dataset.md5 or [None] * len(dataset.data)
    archives = tuple(
        Archive(url, raw / dataset._get_tarball_filename(url), md5)
        for url, md5 in zip(dataset.data, checksums, strict=True)
    )
    return Download(dataset.name, dataset.description, archives, raw)
