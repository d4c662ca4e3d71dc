"""Public test sets and tokenizers' models: nothing comes from the network unless asked, and what is here is used."""

import hashlib
import io
import re
import tarfile
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
import real_data
import sacrebleu
from described import described
from forms import DOCUMENTS, DOMAINS, FORMS, REFERENCE, SOURCE, SYSTEMS, Files
from kept import worded
from sacrebleu.dataset.fake_sgml import FakeSGMLDataset
from sacrebleu.dataset.wmt_xml import WMTXMLDataset
from sacrebleu.tokenizers import tokenizer_spm

from mtsig import Corpus, measure, read
from mtsig._downloads import Archive, Download, fetch, find_download, is_test_set, models, public_sets, size_of
from mtsig.cli import main
from mtsig.errors import InvalidOption, NotApplicable, ProgramError, UnknownName
from mtsig.metrics import METRICS, Bleu

NOWHERE = "https://host.invalid/made24.tgz"

pytestmark = pytest.mark.filterwarnings("ignore:.*extract.*:DeprecationWarning")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """sacreBLEU's folder, empty."""
    for module in ("sacrebleu.utils", "sacrebleu.dataset.base", "sacrebleu.tokenizers.tokenizer_spm"):
        monkeypatch.setattr(f"{module}.SACREBLEU_DIR", str(tmp_path / "sacrebleu"))
    return tmp_path / "sacrebleu"


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """No network; what was asked for is listed."""
    asked: list[str] = []

    def refuse(request: Any, *_: Any, **__: Any) -> None:
        asked.append(request if isinstance(request, str) else request.full_url)
        raise urllib.error.URLError("no network here")

    monkeypatch.setattr(urllib.request, "urlopen", refuse)
    return asked


def packed(place: Path, files: Files) -> str:
    """Write an archive of the files; return its address."""
    with tarfile.open(place / "made24.tgz", "w:gz") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return (place / "made24.tgz").as_uri()


def xml() -> Files:
    """WMT's XML as sacreBLEU wants it: it insists on original languages."""
    return {name: content.replace(b"<doc ", b"<doc origlang='es' ") for name, content in FORMS["wmt-xml"]().items()}


def sgm() -> Files:
    """The source and reference as sacreBLEU wants them: tags in small letters, attributes in quotes."""
    files = {name: content for name, content in FORMS["sgm"]().items() if name in {"src.sgm", "ref.sgm"}}
    return {
        name: re.sub(rb"<DOC (docid=\S+) genre=(\w+)>", rb'<doc \1 genre="\2" origlang="es">', content)
        for name, content in files.items()
    }


Known = Callable[..., None]


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> Known:
    """Add a test set made24/es-en of WMT's XML to sacreBLEU's, from this address."""

    def add(url: str, md5: str | None = None) -> None:
        made = WMTXMLDataset(
            "made24",
            data=[url],
            md5=None if md5 is None else [md5],
            description="made for the tests",
            langpairs={"es-en": ["made24.xml"]},
            refs=[""],
        )
        monkeypatch.setitem(sacrebleu.dataset.DATASETS, "made24", made)

    return add


# --- nothing unless asked ------------------------------------------------------------------------------------


def test_a_test_set_that_is_not_here_says_how_to_fetch_it(known: Known, offline: list[str]) -> None:
    known(NOWHERE)
    with pytest.raises(NotApplicable) as caught:
        read("made24/es-en")
    worded(str(caught.value))
    assert offline == []


@pytest.mark.parametrize("tokenizer", ["spm", "flores101", "flores200", "spBLEU-1K"])
def test_a_tokenizer_whose_model_is_not_here_says_how_to_fetch_it(tokenizer: str, offline: list[str]) -> None:
    pytest.importorskip("sentencepiece")
    with pytest.raises(NotApplicable) as caught:
        measure(Corpus.of({"a": ["x"]}, {"r": ["x"]}), Bleu(tokenize=tokenizer))
    assert f"mtsig download {tokenizer}" in str(caught.value)
    assert offline == []


def test_names_that_sacrebleu_does_not_know_are_told(tmp_path: Path, offline: list[str]) -> None:
    with pytest.raises(UnknownName, match=r"wmt24 has no language pair 'en-xx'. Known: cs-uk, en-cs"):
        read("wmt24/en-xx")
    with pytest.raises(UnknownName, match=r"has no test set or model called 'flores20'. Did you mean 'flores200'"):
        find_download("flores20")
    assert not is_test_set("wmt99/en-de")
    assert not is_test_set("some/folder")
    assert offline == []


def test_a_folder_of_that_name_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "wmt24" / "en-de"
    place.mkdir(parents=True)
    (place / "a.txt").write_text("x\n", encoding="utf-8")
    (place / "ref.txt").write_text("x\n", encoding="utf-8")
    assert list(read("wmt24/en-de").systems) == ["a"]


def test_everything_that_sacrebleu_knows_can_be_named() -> None:
    assert len(list(public_sets())) > 50
    assert {one.name for one in models()} >= {"flores200"}
    for download, pairs in public_sets():
        assert find_download(download.name) == download
        assert is_test_set(f"{download.name}/{pairs[0]}")
        assert not download.is_here


# --- fetching --------------------------------------------------------------------------------------------------


def test_a_fetched_test_set_is_the_corpus(tmp_path: Path, known: Known, monkeypatch: pytest.MonkeyPatch) -> None:
    known(packed(tmp_path, xml()))
    fetch(find_download("made24/es-en"))
    # From here on there is no network.
    monkeypatch.setattr(urllib.request, "urlopen", lambda *_: pytest.fail("asked the network"))
    corpus = read("made24/es-en")
    expected = Corpus.of(SYSTEMS, {"ref": REFERENCE}, documents=DOCUMENTS, domains=DOMAINS, sources=SOURCE)
    assert corpus.select(sorted(corpus.systems)).outputs == expected.outputs
    assert corpus.references == expected.references
    assert corpus.segments == replace(expected.segments, original_languages=corpus.segments.original_languages)


def test_a_test_set_without_systems_takes_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = FakeSGMLDataset(
        "made08", data=[packed(tmp_path, sgm())], description="made", langpairs={"es-en": ["src.sgm", "ref.sgm"]}
    )
    monkeypatch.setitem(sacrebleu.dataset.DATASETS, "made08", made)
    fetch(find_download("made08"))
    for name, lines in SYSTEMS.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    own = [f"--sys={tmp_path / f'{name}.txt'}" for name in ("alpha",)]
    assert main(["score", "--data", "made08/es-en", *own, "--metric", "chrf", "--resamples", "100"]) == 0
    assert "alpha" in capsys.readouterr().out
    assert main(["score", "--data", "made08/es-en"]) == 2
    worded(capsys.readouterr().err)


def test_fetching_says_what_from_where_and_how_much(
    tmp_path: Path, known: Known, capsys: pytest.CaptureFixture[str]
) -> None:
    known(packed(tmp_path, xml()))
    assert main(["download", "made24/es-en"]) == 0
    told = capsys.readouterr().err
    worded(told)
    assert "made24/es-en: downloaded" in told
    assert main(["download", "made24/es-en"]) == 0
    assert "was downloaded before" in capsys.readouterr().err


def test_without_a_network_one_line_says_so_and_nothing_is_left(
    cache: Path, known: Known, offline: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    known(NOWHERE)
    assert main(["download", "made24/es-en"]) == 2
    told = capsys.readouterr().err.strip().split("\n")
    worded(told[0])
    assert "made24/es-en" in told[0]
    worded(told[-1])
    assert [one for one in cache.rglob("*") if one.is_file() and one.suffix != ".lock"] == []
    assert offline != []


def test_a_file_with_another_checksum_is_not_kept(tmp_path: Path, cache: Path, known: Known) -> None:
    known(packed(tmp_path, xml()), md5=hashlib.md5(b"other").hexdigest())
    with pytest.raises(ProgramError, match="not what sacreBLEU expects"):
        fetch(find_download("made24/es-en"))
    assert not find_download("made24").is_here
    assert list(cache.rglob("*.tgz")) == []


def test_a_download_that_is_stopped_leaves_nothing(
    tmp_path: Path, known: Known, monkeypatch: pytest.MonkeyPatch
) -> None:
    known(NOWHERE)

    def stopped(_: str, dest: str, *__: Any) -> None:
        Path(dest).parent.mkdir(parents=True, exist_ok=True)
        Path(dest).write_bytes(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr("sacrebleu.utils.download_file", stopped)
    with pytest.raises(KeyboardInterrupt):
        fetch(find_download("made24"))
    assert not find_download("made24").is_here


def test_a_broken_copy_is_told(tmp_path: Path, known: Known) -> None:
    known(packed(tmp_path, {"made24.xml": b"<dataset><doc>"}))
    fetch(find_download("made24"))
    with pytest.raises(
        ProgramError, match=r"cannot read made24/es-en .* download it again: mtsig download made24/es-en"
    ):
        read("made24/es-en")


def test_answers_of_a_server_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(request: Any, *_: Any, **__: Any) -> None:
        raise urllib.error.HTTPError(NOWHERE, 404, "Not Found", {}, None)  # type: ignore[arg-type]

    monkeypatch.setattr(urllib.request, "urlopen", gone)
    one = Download("x", "made", (Archive(NOWHERE, tmp_path / "raw" / "x.tgz"),))
    assert size_of(one) is None
    with pytest.raises(ProgramError, match=r"host\.invalid answers 404"):
        fetch(one)


def test_the_list_says_what_is_here(tmp_path: Path, known: Known, capsys: pytest.CaptureFixture[str]) -> None:
    known(packed(tmp_path, xml()))
    fetch(find_download("made24"))
    assert main(["download", "--list", "-o", str(tmp_path / "list.json")]) == 0
    assert described("download", (tmp_path / "list.json").read_text(encoding="utf-8"))["downloads"]
    line = next(line for line in capsys.readouterr().out.split("\n") if line.startswith("made24"))
    assert line.split()[:3] == ["made24", "yes", "es-en"]
    assert main(["download", "--list", "made24"]) == 2


# --- tokenizers ------------------------------------------------------------------------------------------------


@pytest.fixture
def model(tmp_path: Path) -> bytes:
    """A SentencePiece model of a few pieces, trained on the spot."""
    sentencepiece = pytest.importorskip("sentencepiece")
    text = tmp_path / "text.txt"
    text.write_text(
        "\n".join(["the cat sat on the mat", "a dog ate the cat", "cats and dogs sat"] * 20), encoding="utf-8"
    )
    sentencepiece.SentencePieceTrainer.train(
        input=str(text), model_prefix=str(tmp_path / "tiny"), vocab_size=18, minloglevel=2
    )
    return (tmp_path / "tiny.model").read_bytes()


@pytest.mark.parametrize("tokenizer", ["flores101", "flores200", "spBLEU-1K"])
def test_a_fetched_model_cuts_words_as_sacrebleu_does(tokenizer: str, model: bytes, offline: list[str]) -> None:
    (archive,) = find_download(tokenizer).archives
    archive.file.parent.mkdir(parents=True)
    archive.file.write_bytes(model)
    outputs, references = ["the cat sat on a mat", "dogs ate cats"], ["the cat sat on the mat", "a dog ate the cat"]
    statistics = measure(Corpus.of({"a": outputs}, {"r": references}), Bleu(tokenize=tokenizer))
    expected = sacrebleu.BLEU(tokenize=tokenizer).corpus_score(outputs, [references])
    assert statistics.scores[0] == pytest.approx(expected.score)
    assert f"tok:{tokenizer}" in statistics.signature
    assert offline == []


def test_a_model_that_was_cut_off_is_told(model: bytes, offline: list[str]) -> None:
    (archive,) = find_download("flores200").archives
    archive.file.parent.mkdir(parents=True)
    archive.file.write_bytes(model[:100])
    with pytest.raises(NotApplicable, match=r"delete .*, and download it again: mtsig download flores200"):
        measure(Corpus.of({"a": ["the cat"]}, {"r": ["the cat"]}), Bleu(tokenize="flores200"))
    assert offline == []


def test_no_metric_downloads_a_tokenizers_model(offline: list[str]) -> None:
    corpus = Corpus.of({"a": ["the cat"]}, {"r": ["the cat"]})
    cutting = {name: one for name, one in METRICS.items() if "tokenize" in {field.name for field in fields(one)}}
    assert len(cutting) > 8
    for one in cutting.values():
        # NIST knows no such tokenizer.
        with pytest.raises((NotApplicable, InvalidOption), match=r"mtsig download flores200|takes one of 13a, intl"):
            measure(corpus, replace(one, tokenize="flores200"))
    assert offline == []


def test_a_model_can_be_fetched(tmp_path: Path, model: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "there.model").write_bytes(model)
    there = {"url": (tmp_path / "there.model").as_uri(), "signature": "flores200"}
    monkeypatch.setitem(tokenizer_spm.SPM_MODELS, "flores200", there)
    assert main(["download", "flores200"]) == 0
    assert find_download("flores200").is_here
    measure(Corpus.of({"a": ["the cat"]}, {"r": ["the cat"]}), Bleu(tokenize="flores200"))


# --- real data of tests --------------------------------------------------------------------------------------


def test_public_sets_are_laid_out_as_the_tests_of_real_data_read_them(tmp_path: Path) -> None:
    source = [f"line {number}\n" for number in range(6)]
    xml = "<dataset><collection>" + "".join(
        f"<doc id='{name}'{suite}><src><p>" + "<seg id='1'>x</seg>" * many + "</p></src></doc>"
        for name, many, suite in (("one", 2, ""), ("tests", 3, " testsuite='t'"), ("two", 4, ""))
    ) + "</collection></dataset>"  # fmt: skip
    texts = {
        f"txt/{kind}/generaltest2022.{pair}.{role}.{language}": "".join(lines)
        for pair, lines in (("en-zh", source), ("en-cs", source[2:] + source[:2]))
        for kind, role, language in (
            ("sources", "src", "en"), ("references", "ref.A", pair[3:]), ("system-outputs", "hyp.Online-A", pair[3:]),
            ("system-outputs", "hyp.LanguageX", pair[3:]),
        )
    }  # fmt: skip
    for number, key in enumerate(dict.fromkeys((part.repository, part.commit) for part in real_data.PARTS)):
        files = texts | {"xml/wmttest2022.en-zh.all.xml": xml} if key == real_data.WMT22 else {}
        if key == real_data.WMT21:
            files = {"txt/system-outputs/newstest2021.en-de.hyp.UEDIN.de": "a\n"}
        place = tmp_path / "from" / key[0].replace("/", "-")
        place.mkdir(parents=True)
        packed(place, {f"top-{number}/{name}": text.encode() for name, text in files.items()})
    address = (tmp_path / "from").as_uri()
    archives = {
        key: real_data.fetched(*key, tmp_path, f"{address}/{key[0].replace('/', '-')}/made24.tgz")
        for key in dict.fromkeys((part.repository, part.commit) for part in real_data.PARTS)
    }
    real_data.lay_out(archives, tmp_path / "data")
    assert (tmp_path / "data" / "wmt21-en-de" / "systems" / "UEdin.txt").read_text() == "a\n"
    corpus = read(tmp_path / "data" / "wmt22-en-zh")
    assert (list(corpus.systems), corpus.documents) == (["LanguageX", "Online-A"], ("one",) * 2 + ("two",) * 4)
    # The same documents in another order are known by their lines; only systems of most sets are taken.
    other = read(tmp_path / "data" / "wmt22-several" / "en-cs")
    assert (list(other.systems), other.documents) == (["Online-A"], ("two",) * 4 + ("one",) * 2)


def test_documents_of_real_sets_are_found_by_their_lines(shared: Path) -> None:
    several = shared / "data" / "wmt22-several"
    found = list(real_data.placed(several / "en-zh", several / "en-ja"))
    assert found == (several / "en-ja" / "docids.txt").read_text(encoding="utf-8").splitlines()
    taken = {
        part.place.format(name=name): name
        for part in real_data.PARTS
        for name in [file.stem for file in (several / "en-zh" / "systems").iterdir()]
        if "en-zh/systems" in part.place
    }
    assert all((shared / "data" / place).is_file() for place in taken if place.startswith("wmt22-several"))
