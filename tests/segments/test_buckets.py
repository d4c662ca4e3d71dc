"""What every bucket promises; how many made faults each finds, and how often good translations raise an alarm."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from kept import worded
from sampled import sampled
from scipy.stats import binomtest

from mtsig import Corpus, measure, read, read_sample
from mtsig._records import Mask
from mtsig.errors import NotApplicable, UnknownName
from mtsig.segments import BUCKETS, buckets_of
from mtsig.segments._buckets import bucket_table, buckets_explained
from mtsig.segments._detector import Detector, Texts

NAMES = ["identical", "number", "negation", "untranslated", "length", "repetition", "entity", "surface"]


class Shouting(Detector):
    """A bucket from outside: an output has an exclamation mark."""

    name = "shouting"
    title = "shouts"
    about = "One of the outputs has an exclamation mark."
    needs = "reference"

    def marks(self, texts: Texts) -> Mask:
        return np.array([any("!" in line for line in pair) for pair in zip(*texts.outputs, strict=True)])


@pytest.fixture
def shouting() -> Iterator[None]:
    BUCKETS["shouting"] = Shouting()
    yield
    del BUCKETS["shouting"]


@pytest.mark.usefixtures("shouting")
def test_a_bucket_from_outside_is_a_bucket_like_any_other() -> None:
    corpus = Corpus.of({"A": ["Oh!", "oh", "oh"], "B": ["oh", "oh", "Oh!"]}, {"r": ["oh"] * 3})
    found = buckets_of(corpus, "A", "B")
    assert [*found][-1] == "shouting"
    assert found["shouting"].tolist() == [True, False, True]
    [row] = bucket_table(buckets_of(corpus, "A", "B", ["shouting"]), np.array([3.0, 0.0, 1.0]))
    assert (row.name, row.title, row.count, row.share_of_difference) == ("shouting", "shouts", 2, 1.0)
    alone = buckets_of(corpus, "A")
    assert "shouting" not in alone
    worded(alone.left_out["shouting"])
    bare = buckets_of(Corpus.of({"A": ["oh"], "B": ["oh"]}), "A", "B")
    worded(bare.left_out["shouting"])


def test_the_table_has_every_file_and_says_what_it_is() -> None:
    assert list(BUCKETS) == NAMES
    for name, one in BUCKETS.items():
        assert one.name == name
        assert one.title == one.title.strip()
        for said in (one.about, one.alone):
            assert said.endswith(".")
            assert "  " not in said


@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_the_systems_does_not_matter(name: str) -> None:
    corpus = read_sample()
    there = buckets_of(corpus, "direct", "via-esperanto", [name])[name]
    back = buckets_of(corpus, "via-esperanto", "direct", [name])[name]
    assert there.shape == (200,)
    assert there.dtype == bool
    assert there.tolist() == back.tolist()


@pytest.mark.parametrize("name", NAMES)
def test_segments_are_judged_one_by_one(name: str) -> None:
    corpus = read_sample()
    whole = buckets_of(corpus, "direct", "via-galician", [name], "en")[name]
    some = np.arange(150, 20, -7)
    assert buckets_of(corpus.take(some), "direct", "via-galician", [name], "en")[name].tolist() == whole[some].tolist()


@pytest.mark.parametrize("name", NAMES[1:6])
def test_identical_outputs_differ_in_nothing(name: str) -> None:
    corpus = read_sample()
    found = buckets_of(corpus, "direct", "direct-us")
    same = found["identical"]
    if name in ("number", "negation"):
        assert not (found[name] & same).any()
    assert not (found["surface"] & same).any()
    assert not (found["entity"] & same).any()


def test_what_is_missing_is_left_out_with_its_reason() -> None:
    corpus = Corpus.of({"A": ["the cat of the house"], "B": ["a dog"]})
    pair, alone = buckets_of(corpus, "A", "B"), buckets_of(corpus, "A")
    assert pair.left_out == {
        "untranslated": "This bucket needs a source, and none was given.",
        "entity": "This bucket needs a source or reference, and none was given.",
    }
    assert list(alone) == ["repetition"]
    worded(alone.left_out["number"])
    worded(alone.left_out["length"])


def test_a_segment_without_any_reference_is_in_no_bucket_of_one_system() -> None:
    corpus = Corpus.of({"A": ["5 cats", "7 cats"]}, {"r": ["6 cats", ""], "q": ["6 cats", ""]})
    assert buckets_of(corpus, "A", names=["number", "length", "identical", "surface"], language="en")[
        "number"
    ].tolist() == [True, False]


def test_unknown_names_are_told() -> None:
    corpus = read_sample()
    with pytest.raises(UnknownName, match=r"no bucket called 'numbr'\. Did you mean 'number'"):
        buckets_of(corpus, "direct", "direct-us", ["numbr"])
    with pytest.raises(UnknownName, match="no system called 'nobody'"):
        buckets_of(corpus, "direct", "nobody")


def test_shares_of_the_difference_add_up_over_a_partition() -> None:
    corpus = read_sample()
    scores = measure(corpus, "sentbleu").segment_scores
    values = (scores[1] - scores[0]) / scores.shape[1]
    same = buckets_of(corpus, "direct", "direct-us", ["identical"])["identical"]
    rows = bucket_table({"identical": same, "surface": ~same}, values)
    assert [row.count for row in rows] == [163, 37]
    assert [row.share_of_segments for row in rows] == [163 / 200, 37 / 200]
    assert sum(row.contribution for row in rows) == pytest.approx(values.sum())
    assert [row.share_of_difference for row in rows] == pytest.approx([0.0, 1.0])


def test_nothing_of_a_loss_is_a_share_of_plain_zero() -> None:
    [row] = bucket_table({"number": np.array([True, False])}, np.array([0.0, -2.0]))
    assert str(row.share_of_difference) == "0.0"


def test_a_difference_of_nothing_has_no_shares() -> None:
    [row] = bucket_table({"number": np.array([True, False, False])}, np.array([0.1, 0.2, -0.3]))
    assert np.isnan(row.share_of_difference)
    assert row.contribution == 0.1
    [empty] = bucket_table({"number": np.zeros(0, dtype=bool)}, np.zeros(0))
    assert np.isnan(empty.share_of_segments)


def test_values_of_some_segments_take_their_numbers() -> None:
    buckets = {"number": np.array([True, False, True, True])}
    [row] = bucket_table(buckets, np.array([1.0, 3.0]), np.array([1, 3]))
    assert (row.count, row.share_of_segments, row.contribution, row.share_of_difference) == (1, 0.5, 3.0, 0.75)
    with pytest.raises(NotApplicable, match="Bucket 'number' is of 4 segments, but there are 2 values"):
        bucket_table(buckets, np.array([1.0, 3.0]))


ROUNDS = 5

NUMBERS = ("1984", "2,500", "17", "3.5", "45%", "$120", "1 000 000", "60,000")
ADDRESSES = ("https://example.org/a/b?c=1", "www.example.com", "info@example.net")


def _with_number(line: str, rng: np.random.Generator) -> str:
    return f"{line.rstrip('.')} (see page {rng.choice(NUMBERS)})."


def _changed_number(line: str, rng: np.random.Generator) -> str:
    """Drop the number that was put in, or change one of its digits."""
    at = line.rindex("(see page ")
    if rng.random() < 0.5:
        return f"{line[:at]}(see page)."
    digits = [place for place in range(at, len(line)) if line[place].isdigit()]
    place = int(rng.choice(digits))
    return f"{line[:place]}{(int(line[place]) + 1 + int(rng.integers(8))) % 10}{line[place + 1 :]}"


def _rewritten_number(line: str) -> str:
    """Write the number that was put in another way."""
    at = line.rindex("(see page ")
    return line[:at] + line[at:].replace(",", " ").replace("%", " %").replace("3.5", "3,50").replace("1984", "1,984")


_CAN_NEGATE = re.compile(
    r"\b(is|was|were|will|has|had|are|can|could|would|must|should|have|may|do|does|did)\b(?! not|n't)"
)
_NEGATION = re.compile(r"n't\b| not\b(?! only)")


def _negated(line: str) -> str | None:
    """Take the only negation out, or put one in; None where neither is easy."""
    if re.search(r"\b(no|never|nothing|without|none|nobody|neither|nor|un\w+|only)\b", line, re.IGNORECASE):
        return None
    if len(_NEGATION.findall(line)) == 1 and "can't" not in line and "won't" not in line:
        return _NEGATION.sub("", line)
    if _NEGATION.search(line) or not _CAN_NEGATE.search(line):
        return None
    return _CAN_NEGATE.sub(r"\1 not", line, count=1)


def _looped(line: str, rng: np.random.Generator) -> str:
    words = line.split()
    size = int(rng.integers(1, 6))
    at = int(rng.integers(0, max(1, len(words) - size)))
    return " ".join(words[: at + size] + words[at : at + size] * int(rng.integers(6, 12)) + words[at + size :])


def _surfaced(line: str, rng: np.random.Generator) -> str:
    kinds: list[Callable[[str], str]] = [
        str.lower, str.upper, lambda text: text.rstrip(".!?"), lambda text: text.replace(",", ""),
        lambda text: f"“{text}”", lambda text: text.replace(" ", "  "), str.title,
    ]  # fmt: skip
    changed = [kind(line) for kind in kinds if kind(line) != line]
    return changed[int(rng.integers(len(changed)))]


def _entity_changed(line: str, names: list[str], rng: np.random.Generator) -> str:
    """Change a letter of a name, or of the address where there is no name."""
    if names:
        name = str(rng.choice(names))
        return line.replace(name, f"{name[:2]}{'y' if name[2] != 'y' else 'o'}{name[3:]}")
    return re.sub(r"example", lambda _: str(rng.choice(["exemple", "sample", "exampel"])), line)


NEGATE = {"never", "nothing", "nobody"}


def _reworded(line: str, rng: np.random.Generator) -> str:
    """Change two words for others that say nothing of numbers, names or negation."""
    words = line.split()
    plain = [
        i for i, word in enumerate(words) if word.isalpha() and word.islower() and len(word) > 4 and word not in NEGATE
    ]
    for place in rng.permutation(plain)[:2]:
        words[int(place)] = str(rng.choice(["green", "quiet", "older", "plain", "round", "early"]))
    return " ".join(words)


FAULTS = {
    "number": "a number is dropped or a digit changed",
    "negation": "a negation is inserted or removed",
    "untranslated": "the source is copied, whole or three words in four",
    "length": "the output is cut to a third",
    "repetition": "1 to 5 words are repeated 6 to 11 times",
    "entity": "a letter of a name, a URL or an e-mail address is changed",
    "surface": "case, punctuation or spaces are changed",
    "identical": "nothing is changed",
}
DISTURBED = {
    # What a fault does to other buckets, too, and rightly: these are not judged there.
    "untranslated": {"number", "negation", "entity", "repetition", "length"},
    "length": {"number", "negation", "entity"},
    "repetition": {"length", "number", "negation", "entity"},
    "surface": {"entity"},
}


def _planted(seed: int) -> tuple[Corpus, list[str]]:
    """Return a system with faults beside the reference, and the fault of each segment; "" for harmless rewording."""
    rng = np.random.default_rng(seed)
    sample = read_sample(every_reference=True)
    references = [[line or "" for line in lines] for lines in sample.references.values()]
    sources = list(sample.segments.sources or ())
    good, bad, faults = [], [], []
    for number, line in enumerate(references[0]):
        fault = str(rng.choice([*FAULTS, "", ""]))
        negated = _negated(line)
        if fault == "negation" and negated is None:
            fault = ""
        if fault == "number" or (fault == "" and rng.random() < 0.3):
            state = rng.bit_generator.state
            line = _with_number(line, rng)
            rng.bit_generator.state = state
            sources[number] = _with_number(sources[number], rng)
        names = sorted(name for name in set(re.findall(r"\b[A-Z][a-z]{4,}", line)) if name in sources[number])
        if fault == "entity" and (not names or rng.random() < 0.5):
            address = str(rng.choice(ADDRESSES))
            line, sources[number], names = f"{line} {address}", f"{sources[number]} {address}", []
        words = line.split()
        other = {
            "number": lambda line=line: _changed_number(line, rng),
            "negation": lambda negated=negated: negated or "",
            "untranslated": lambda line=line, number=number: _copied(sources[number], line, rng),
            "length": lambda words=words: " ".join(words[: max(1, len(words) // 3)]),
            "repetition": lambda line=line: _looped(line, rng),
            "entity": lambda line=line, names=names: _entity_changed(line, names, rng),
            "surface": lambda line=line: _surfaced(line, rng),
            "identical": lambda line=line: line,
            "": lambda line=line: (
                _rewritten_number(_reworded(line, rng)) if "(see page" in line else _reworded(line, rng)
            ),
        }[fault]()
        good.append(line)
        bad.append(other)
        faults.append(fault if other != line else "identical")
    return Corpus.of({"good": good, "bad": bad}, {"ref": good}, sources=sources), faults


def _copied(source: str, line: str, rng: np.random.Generator) -> str:
    if rng.random() < 0.5:
        return source
    words = source.split()
    translated = line.split()
    return " ".join(word if i % 4 else translated[min(i, len(translated) - 1)] for i, word in enumerate(words))


@cache
def measured() -> dict[str, tuple[int, int, int]]:
    """Return for each bucket how many faults were planted, how many of them it holds, and how many others."""
    found = {name: [0, 0, 0] for name in FAULTS}
    for seed in range(ROUNDS):
        corpus, faults = _planted(seed)
        buckets = buckets_of(corpus, "good", "bad")
        assert buckets.left_out == {}
        for name, counts in found.items():
            for fault, marked in zip(faults, buckets[name], strict=True):
                own = fault == name
                counts[0] += own
                counts[1] += own and bool(marked)
                counts[2] += not own and bool(marked) and name not in DISTURBED.get(fault, set())
    return {name: (planted, hits, others) for name, (planted, hits, others) in found.items()}


MINIMUM = {
    # recall, precision
    "identical": (1.0, 1.0), "number": (0.9, 0.95), "negation": (0.9, 0.95), "untranslated": (0.9, 0.95),
    "length": (0.9, 0.95), "repetition": (0.95, 0.95), "entity": (1.0, 0.95), "surface": (0.95, 0.95),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_planted_faults_are_found_and_little_else(name: str) -> None:
    planted, hits, others = measured()[name]
    recall, precision = MINIMUM[name]
    assert planted >= 30
    assert hits / planted >= recall
    assert hits / (hits + others) >= precision


def table() -> list[str]:
    rows = []
    for name, what in FAULTS.items():
        planted, hits, others = measured()[name]
        rows.append(f"| {name} | {what} | {hits} of {planted} | {hits} of {hits + others} |")
    return rows


def test_the_explanation_says_what_was_measured() -> None:
    text = buckets_explained()
    for row in table():
        assert row in text, row


def test_what_was_read_is_explained_with_exact_intervals() -> None:
    text = " ".join(buckets_explained().split())
    said = [tuple(map(int, cell)) for cell in re.findall(r"(\d+) of (\d+) \((\d+)–(\d+)%\)", text)]
    assert len(said) == 13
    for inside, marked, low, high in said:
        interval = binomtest(inside, marked).proportion_ci(0.95, method="exact")
        assert (low, high) == (round(100 * interval.low), round(100 * interval.high)), (inside, marked)


if __name__ == "__main__":
    print("\n".join(table()))


# Most alarms, in % of segments; people differ in numbers, names and commas, too, if seldom.
MOST = {
    "number": 3.5,
    "negation": 5.0,
    "untranslated": 0.2,
    "length": 1.0,
    "repetition": 0.1,
    "entity": 3.0,
    "surface": 1.0,
}


@sampled("folder", ["wmt21-ru-en", "wmt21-en-de", "wmt22-en-zh", "wmt21-ted-zh-en"], most=1)
def test_human_translations_raise_few_alarms(shared: Path, folder: str) -> None:
    corpus = read(shared / "data" / folder)
    first, second, *_ = corpus.references.values()
    people = {"first": [line or "" for line in first], "second": [line or "" for line in second]}
    found = buckets_of(Corpus.of(people, sources=corpus.segments.sources), "first", "second")
    assert found.left_out == {}
    alarms = {name: round(100 * float(found[name].mean()), 2) for name in MOST}
    print(folder, alarms)
    assert {name: share for name, share in alarms.items() if share > MOST[name]} == {}


def test_languages_of_real_sets_are_known(shared: Path) -> None:
    croatian = read(shared / "data" / "wmt22-several" / "en-hr")
    first, second, *_ = croatian.systems
    found = buckets_of(croatian, first, second, ["negation"])
    assert "Croatian" in found.left_out["negation"]
