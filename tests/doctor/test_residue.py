"""What decoders leave on many lines of one system is found, with its share; on clean text nothing is."""

import json
import re
import unicodedata
from collections.abc import Callable
from random import Random

import pytest
from layouts import made
from sampled import crossed, sampled

from mtsig import Corpus, check_data, read_sample
from mtsig.doctor import Finding, _fit, _residue, _texts

N = 80
TEXTS = made(N)
SOURCES = [f"Quelle {i}: {line}" for i, line in enumerate(TEXTS["source"])]

LEFT: dict[str, Callable[[int, str], str]] = {
    "preamble": lambda _, t: f"Here is the translation: {t}",
    "preambles": lambda i, t: f"{('Sure! Here is the translation: ', 'Translation: ')[i % 2]}{t}",
    "role": lambda _, t: f"Assistant: {t}",
    "postscript": lambda _, t: f"{t} I hope this helps!",
    "remark": lambda _, t: f"{t} (Note: {t.split()[1]} was kept as it is here, since names are not changed; see {t})",
    "quotes": lambda _, t: f'"{t}"',
    "curly quotes": lambda _, t: f"“{t}”",
    "guillemets": lambda _, t: f"« {t} »",
    "fence": lambda _, t: f"```{t}```",
    "fence of a language": lambda _, t: f"```text {t} ```",
    "bold": lambda _, t: f"**{t}**",
    "think": lambda _, t: f"<think>The user wants {t.split()[-1]}</think> {t}",
    "end of sentence": lambda _, t: f"{t} </s>",
    "sentence": lambda _, t: f"<s> {t} </s> <pad>",
    "end of turn": lambda _, t: f"{t}<|im_end|>",
    "instruction": lambda _, t: f"[INST] {t} [/INST]",
    "unknown words": lambda _, t: t.replace(t.split()[2], "<unk>"),
    "sentencepiece unknown": lambda _, t: t.replace(t.split()[2], "⁇"),
    "language tag": lambda _, t: f"__en__ {t}",
    "language token": lambda _, t: f">>eng<< {t}",
    "json": lambda i, t: json.dumps({"translation": t, "id": i})[:-1] + ', "n": {}}',
    "newline": lambda _, t: t.replace(" ", "\\n", 1),
    "escapes": lambda _, t: t.replace("e", "\\u0065"),
    "nfd": lambda _, t: unicodedata.normalize("NFD", t.replace("e", "é")),
    "cut off": lambda _, t: t[: len(t) // 2],
    "said twice": lambda _, t: f"{t} {t}",
    "loop": lambda _, t: f"{t} the bridge the bridge the bridge the bridge the bridge",
    "source before": lambda i, t: f"{SOURCES[i]} = {t}",
    "full width": lambda _, t: "".join(chr(ord(c) + 0xFEE0) if c.isalpha() else c for c in t),
    "upper case": lambda _, t: t.upper(),
    "case exchanged": lambda _, t: t.swapcase(),
    "no spaces": lambda _, t: t.replace(" ", ""),
    "Cyrillic letters": lambda _, t: t.replace("o", "о"),
    "placeholder": lambda _, t: t.replace(t.split()[2], "{0}"),
    "byte": lambda _, t: t.replace(" ", "<0x0A>", 1),
    "sign of a prompt": lambda _, t: f"en> {t}",
    "lost letters": lambda _, t: t.replace("a", "?"),
    "a word for numbers": lambda _, t: t.replace(t.split()[2], "NUM"),
    "number": lambda i, t: f"{i + 1}. {t}",
    "speaker": lambda i, t: f"Speaker {i % 2}: {t}",
    "confidence": lambda i, t: f"{t} [0.{i % 9}]",
    "split letters": lambda _, t: " ".join(t.replace(" ", "")),
    "words said twice": lambda _, t: " ".join(f"{word} {word}" for word in t.split()),
    "end said twice": lambda _, t: f"{t} {' '.join(t.split()[-4:])}",
    "explained": lambda _, t: f"{t} Explanation: this follows the usual order of the words.",
    "a word for names": lambda _, t: t.replace(t.split()[2], "PERSON"),
}  # fmt: skip


def found(kind: str, every: int, sources: bool = True, references: bool = True) -> list[Finding]:
    lines = [LEFT[kind](i, line) if i % every == 0 else line for i, line in enumerate(TEXTS["alpha"])]
    corpus = Corpus.of(
        {"alpha": lines, "beta": TEXTS["beta"], "gamma": TEXTS["alpha"]},
        {"ref": TEXTS["ref"]} if references else {},
        sources=SOURCES if sources else None,
    )
    return [one for one in check_data(corpus, ["residue", "looping", "processing"]) if one.where == "system 'alpha'"]


@crossed("kind, every", LEFT, [1, 3, 8])
def test_it_is_found_with_its_share_an_example_and_what_to_do(kind: str, every: int) -> None:
    findings = found(kind, every)
    assert findings
    if kind not in ("split letters", "loop", "upper case"):
        told = next(one for one in findings if one.check == "residue")
        assert "such as '" in told.found or 'such as "' in told.found
        assert f" of {N} (line" in told.found
        assert told.advice.endswith(".")


@sampled("kind", [kind for kind in LEFT if kind != "source before"], most=14)
def test_it_is_found_without_sources_or_references(kind: str) -> None:
    assert found(kind, 1, sources=False)
    assert found(kind, 1, references=False)


@sampled("kind", LEFT, most=14)
def test_what_the_reference_has_there_too_is_none(kind: str) -> None:
    lines = [LEFT[kind](i, line.replace("alpha", "ref")) for i, line in enumerate(TEXTS["alpha"])]
    references = [LEFT[kind](i, line) for i, line in enumerate(TEXTS["ref"])]
    corpus = Corpus.of({"alpha": lines, "beta": lines}, {"ref": references}, sources=SOURCES)
    assert [one for one in check_data(corpus, ["residue"]) if "cut off" not in one.found] == []


def test_nothing_is_said_of_clean_text() -> None:
    corpus = Corpus.of({name: TEXTS[name] for name in ("alpha", "beta")}, {"ref": TEXTS["ref"]}, sources=SOURCES)
    assert check_data(corpus, ["residue"]).findings == ()
    assert check_data(read_sample(), ["residue"]).findings == ()


def test_marks_are_named_in_the_order_in_which_they_stand() -> None:
    marks = ["<unk>", "⁇", "[INST]", "**", "$$", "{0}", "__en__", "<|im_end|>"]
    words = [line.split() for line in TEXTS["alpha"]]
    lines = [" ".join([*own[:2], *marks, *own[2:]]) for own in words]
    told = check_data(Corpus.of({"alpha": lines, "beta": TEXTS["beta"]}, {"ref": TEXTS["ref"]}), ["residue"])
    assert [mark for one in told for mark in marks if one.found.startswith(f"lines with {mark!r}")] == marks


LETTERS = ["a", "A", "é", "д", "中", " ", " ", ".", ",", "@@", "▁", "##", "UNK", "Ã", "©", "â€", "Ð", "µ", "1", "\n"]


def test_what_is_searched_for_fast_is_what_it_says() -> None:
    random = Random(36)
    lines = ["".join(random.choices(random.sample(LETTERS, random.randint(2, 20)), k=12)) for _ in range(2_000)]
    lines += ["a b c d e f g h", "ab c d e f g h i j", "x a b c d e f g h i"]
    plain = {
        _residue._SPACED: r"(?:(?<!\w)[^\W\d_] ){8,}",
        _residue._MIXED: r"[a-zA-Z][\u0370-\u052f]|[\u0370-\u052f][a-zA-Z]",
        _residue._NUMBER: r"(?<![^\s(\[{<|/:.#-])\d+\b",
        **{stop: rf"\w ?{sign}(?= |$)" for stop, sign in zip(_texts._STOPS, (r"\.", ","), strict=True)},
        _texts._TOKENIZED: r"\w [.,](?= |$)",
        _texts._SUBWORD: r"@@(?: |$)|(?:^| )▁\w|@-@| ##\w",
        next(kind.pattern for kind in _texts.KINDS if kind.has == "wrongly decoded text"): (
            r"[ÃÂ][\x80-\xbf]|â€[\x80-\xbf™œžš¢¦“”]|Ð[\x80-\xbf]Ð"
        ),
    }
    counted = (_residue._NUMBER, *_texts._STOPS, _texts._TOKENIZED)
    for fast, pattern in plain.items():
        counts = [len(re.findall(pattern, line)) for line in lines]
        assert [fast.search(line) is not None for line in lines] == list(map(bool, counts))
        assert fast not in counted or [len(fast.findall(line)) for line in lines] == counts
        assert any(counts)
    for line in lines:
        capitals = 2 * sum(letter.isupper() for letter in line) > sum(letter.isalpha() for letter in line)
        assert _residue._in_capitals(line) == (capitals and len(line.split()) > 3)
        other = [letter for letter in line if letter.isalpha() and not unicodedata.name(letter).startswith("LATIN")]
        many = sum(map(str.isalpha, line)) >= 10 and len(other) > 0.7 * sum(map(str.isalpha, line))
        assert _fit._is_in_other(line, "LATIN") == many


@pytest.mark.parametrize("instead", ["#", "", "0", "٣", lambda number: str(int(number[0]) + 1)])
def test_lost_numbers_are_told(instead: str) -> None:
    lines = [re.sub(r"\d+", instead, line) for line in TEXTS["alpha"]]
    corpus = Corpus.of({"alpha": lines, "beta": TEXTS["beta"]}, {"ref": TEXTS["ref"]}, sources=SOURCES)
    assert [one.systems for one in check_data(corpus, ["residue"]) if "without the numbers" in one.found] == [
        ("alpha",)
    ]


def test_lost_accents_are_told_where_the_language_has_them() -> None:
    accented = {name: [line.replace("e", "é") for line in lines] for name, lines in TEXTS.items()}
    corpus = Corpus.of({"alpha": TEXTS["alpha"], "beta": accented["beta"]}, {"ref": accented["ref"]}, sources=SOURCES)
    told = [one for one in check_data(corpus, ["residue"]) if "without the accented letters" in one.found]
    assert [one.systems for one in told] == [("alpha",)]


@pytest.mark.parametrize("again", ["{t}{t}", "{t} / {t}", "{t}{end}", "{t}，{end}"])
def test_lines_without_spaces_that_repeat_themselves_are_told(again: str) -> None:
    random = Random(41)
    letters = [chr(code) for code in range(0x4E00, 0x4F00)]

    def text() -> list[str]:
        return ["".join(random.choices(letters, k=24)) for _ in range(N)]

    beta, ref, lines = text(), text(), text()
    for own, count in (([again.format(t=t, end=t[-10:]) for t in lines], 1), (lines, 0)):
        told = check_data(Corpus.of({"alpha": own, "beta": beta}, {"ref": ref}), ["residue"])
        assert sum("repeat themselves" in one.found and one.systems == ("alpha",) for one in told) == count


@pytest.mark.parametrize("outer", ["preamble", "end of sentence", "language tag", "fence"])
@pytest.mark.parametrize(("inner", "said"), [("nfd", "NFD"), ("upper case", "capitals"), ("said twice", "repeat")])
def test_what_is_below_a_mark_on_every_line_is_found_too(outer: str, inner: str, said: str) -> None:
    lines = [LEFT[outer](i, LEFT[inner](i, line)) for i, line in enumerate(TEXTS["alpha"])]
    corpus = Corpus.of({"alpha": lines, "beta": TEXTS["beta"]}, {"ref": TEXTS["ref"]}, sources=SOURCES)
    assert any(said in one.found for one in check_data(corpus, ["residue"]))


MIXED: dict[str, list[str]] = {
    "ends of decoders": ["{} </s>", "{} <pad>", "{} <eos>"],
    "tags": ["<b>{}</b>", "<out>{}</out>", "<en>{}</en>", "<t>{}</t>"],
    "preambles": ["Sure: {}", "Here you go - {}", "The answer is: {}", "Translated: {}", "In English: {}",
                  "My translation: {}", "Of course! {}", "Output: {}", "Result = {}", "As follows: {}"],
    "postscripts": ["{} Hope this helps!", "{} Let me know if you need more.", "{} [end of text]", "{} (translated)"],
    "languages": ["<en> {}", "[EN] {}", "en: {}", "__en__ {}", ">>en<< {}"],
    "a tag, or a preamble": ["{} </s>", "Translation: {}", "<pad> {}", "The translation is: {}"],
    "pictures": ["{} 😀", "{} 😃", "{} 😄", "{} 😁"],
    "brackets of one word": ["{} (bridge)", "{} (garden)", "{} (pilot)", "{} (gate)"],
}  # fmt: skip


@pytest.mark.parametrize("every", [1, 2])
@pytest.mark.parametrize("kind", MIXED)
def test_several_residues_of_one_system_are_as_loud_as_one(kind: str, every: int) -> None:
    frames = MIXED[kind]
    own = [frames[i // every % len(frames)].format(t) if i % every == 0 else t for i, t in enumerate(TEXTS["alpha"])]
    corpus = Corpus.of({"alpha": own, "beta": TEXTS["beta"]}, {"ref": TEXTS["ref"]}, sources=SOURCES)
    told = [one for one in check_data(corpus, ["residue"]) if one.systems == ("alpha",)]
    lines = {line for one in told for line in one.lines}
    assert lines
    if every == 1 or kind not in ("brackets of one word", "preambles"):
        assert any(one.level == "warning" for one in told), told


@pytest.mark.parametrize("cut", [1, 2, 9])
def test_ends_that_were_cut_off_are_told(cut: int) -> None:
    for every, level in ((1, "warning"), (3, "note")):
        own = [t[:-cut] if i % every == 0 else t for i, t in enumerate(TEXTS["alpha"])]
        corpus = Corpus.of({"alpha": own, "beta": TEXTS["beta"]}, {"ref": TEXTS["ref"]}, sources=SOURCES)
        told = [one for one in check_data(corpus, ["residue"]) if "full stop" in one.found]
        assert [(one.level, one.systems) for one in told] == [(level, ("alpha",))]


def test_what_others_end_with_in_small_letters_is_no_residue_of_capitals() -> None:
    corpus = read_sample()
    loud = Corpus.of({"loud": [line.upper() for line in corpus.lines("direct")]}, dict(corpus.references))
    found = [finding.found for finding in check_data(loud) if finding.check == "residue"]
    assert any("are in capitals" in one for one in found)
    assert not any("lines that end with" in one for one in found)


@sampled("kind", ["cut off", "explained", "sign of a prompt", "said twice"], most=3)
def test_what_several_systems_have_is_one_finding_with_the_count_of_each(kind: str) -> None:
    outputs = {
        name: [LEFT[kind](i, line) if i % every == 0 else line for i, line in enumerate(TEXTS[text])]
        for name, text, every in (("one", "alpha", 2), ("all", "beta", 1), ("none", "alpha", N + 1))
    }
    outputs["none"][0] = TEXTS["alpha"][0]
    told = check_data(Corpus.of(outputs, {"ref": TEXTS["ref"]}, sources=SOURCES), ["residue"]).warnings
    assert len({one.found.partition(":")[0] for one in told}) == len(told)
    both = [one for one in told if one.systems == ("all", "one")]
    assert {one.headline for one in both} == {"2 systems have lines to clean"}
    counts = [re.search(r": 80 of 80 \(lines 1–80\), .*Also: system 'one' 40\.$", one.found) for one in both]
    assert sum(map(bool, counts)) == 1
