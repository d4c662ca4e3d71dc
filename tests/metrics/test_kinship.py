"""A system is told to be kin to a reference where it is, and ordinary systems never are, however few stand beside."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kept import worded
from limited import GB, mtsig
from sampled import slow

from mtsig import Corpus, check_data, read, read_sample
from mtsig.corpus import Rating
from mtsig.metrics._kinship import (
    CHARACTERS,
    LINES,
    STRETCHES,
    WORDS,
    Rule,
    Shares,
    equal_lines,
    equal_stretches,
    kin_of,
)
from mtsig.metrics._kinship import size_of_stretches as size_of

N = 300
RNG = np.random.default_rng(7)
VOCABULARY = np.array([f"w{number}" for number in range(2_000)])


def sentences(n: int = N, least: int = 8) -> list[str]:
    return [" ".join(RNG.choice(VOCABULARY, RNG.integers(least, 20))) for _ in range(n)]


def edited(lines: Sequence[str], words: int = 1) -> list[str]:
    """Return the lines with so many words of each replaced."""
    found = []
    for line in lines:
        pieces = line.split()
        for place in RNG.choice(len(pieces), min(words, len(pieces)), replace=False):
            pieces[place] = str(RNG.choice(VOCABULARY))
        found.append(" ".join(pieces))
    return found


REFERENCE = sentences()
OTHER_REFERENCE = edited(REFERENCE, 6)
ORDINARY = {f"sys{number}": edited(REFERENCE, 6) for number in range(7)}


def having(share: float, of: Sequence[str] = REFERENCE, start: float = 0.0) -> list[str]:
    """Return an ordinary output in which this share of lines is the reference's, from a place on."""
    first, last = round(start * N), round((start + share) * N)
    return [*edited(of[:first], 6), *of[first:last], *edited(of[last:], 6)]


def corpus(systems: Mapping[str, Sequence[str]], others: int = 7, **references: Sequence[str | None]) -> Corpus:
    chosen = dict(list(ORDINARY.items())[:others])
    return Corpus.of({**chosen, **systems}, references or {"ref": REFERENCE})


# --- lines --------------------------------------------------------------------------------------------------


def test_a_system_with_many_of_a_references_lines_is_named_with_the_numbers() -> None:
    (kin,) = kin_of(corpus({"learner": having(0.3), "next": having(0.1)}))
    assert (kin.system, kin.reference, kin.shared, kin.of) == ("learner", "ref", 90, N)
    assert (kin.next_system, kin.next_shared) == ("next", 30)
    worded(kin.sentence, "'learner'", "90 of the 300", "'ref'", "'next'", "30")
    worded(replace(kin, shared=1090, of=2300).sentence, "1,090 of the 2,300")


def test_it_is_said_when_no_other_system_has_any() -> None:
    (kin,) = kin_of(corpus({"learner": having(0.3)}))
    assert (kin.next_system, kin.next_shared) == (None, 0)
    worded(kin.sentence)


def test_of_several_references_the_one_it_is_kin_to_is_named() -> None:
    data = corpus({"learner": having(0.3)}, a=OTHER_REFERENCE, b=REFERENCE, c=edited(REFERENCE, 5))
    assert [(kin.system, kin.reference) for kin in kin_of(data)] == [("learner", "b")]


def test_less_than_a_tenth_above_the_median_is_no_kinship() -> None:
    assert kin_of(corpus({"good": having(0.09)})) == ()
    assert kin_of(corpus({"good": having(0.11)})) != ()


def test_less_than_twice_the_next_system_is_no_kinship() -> None:
    assert kin_of(corpus({"good": having(0.3), "next": having(0.16, start=0.5)})) == ()


def test_lines_of_one_or_two_words_do_not_count() -> None:
    short = [f"{line.split()[0]} Yes." for line in REFERENCE]
    outputs = {name: ["No." for _ in short] for name in ORDINARY}
    assert kin_of(Corpus.of({**outputs, "a": short}, {"ref": short})) == ()
    longer = [f"{line} so" for line in short]
    half = [*longer[: N // 2], *["No."] * (N // 2)]
    assert [kin.system for kin in kin_of(Corpus.of({**outputs, "a": half}, {"ref": longer}))] == ["a"]


@pytest.mark.parametrize(("length", "counted"), [(4, False), (5, True)])
def test_without_spaces_two_characters_are_taken_for_a_word(length: int, counted: bool) -> None:
    reference = ["".join(chr(0x4E00 + RNG.integers(5_000)) for _ in range(length)) for _ in range(N)]
    outputs = {name: ["没有。" for _ in reference] for name in ORDINARY}
    half = [*reference[: N // 2], *["没有。"] * (N // 2)]
    assert bool(kin_of(Corpus.of({**outputs, "a": half}, {"ref": reference}))) is counted


def test_fewer_than_thirty_lines_are_chance() -> None:
    assert kin_of(corpus({"a": having(0.3)}).take(range(80, 180))) == ()


# --- few systems --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("others", range(1, 8))
def test_fewer_others_ask_for_a_larger_difference(others: int) -> None:
    needed = 0.10 + 0.02 * max(0, 6 - others)
    assert kin_of(corpus({"a": having(needed - 0.02)}, others)) == ()
    assert [kin.system for kin in kin_of(corpus({"a": having(needed + 0.02)}, others))] == ["a"]


def test_one_system_is_kin_to_nothing() -> None:
    assert kin_of(Corpus.of({"a": having(0.5)}, {"ref": REFERENCE})) == ()
    assert kin_of(Corpus.of({"a": having(0.5), "refB": OTHER_REFERENCE}, {"ref": REFERENCE})) == ()


def test_nothing_is_found_without_references_or_segments() -> None:
    assert kin_of(replace(corpus({"a": having(0.5)}), references={})) == ()
    assert kin_of(corpus({"a": having(0.5)}).take([])) == ()
    assert kin_of(corpus({"a": [""] * N}, ref=[""] * N)) == ()


# --- references among the systems ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["refA", "ref-B", "ref.C", "reference", "HUMAN", "Human-A"])
def test_a_reference_among_the_systems_is_known_by_its_name(name: str) -> None:
    assert kin_of(corpus({name: having(0.5)})) == ()
    (kin,) = kin_of(corpus({name: having(0.5, start=0.5), "learner": having(0.3)}))
    assert (kin.system, kin.next_system) == ("learner", None)


def test_a_reference_among_the_systems_is_known_by_its_lines() -> None:
    learner, who = kin_of(corpus({"who": having(0.9), "learner": having(0.3)}))
    assert (learner.system, learner.next_system, learner.copied) == ("learner", None, False)
    assert (who.system, who.next_system, who.copied) == ("who", None, True)
    assert kin_of(corpus({"who": REFERENCE})) == ()


@pytest.mark.parametrize("others", [1, 3, 7])
@pytest.mark.parametrize("share", [0.8, 0.85, 0.9, 0.95, 0.99])
def test_nearly_a_reference_is_found(share: float, others: int) -> None:
    (kin,) = kin_of(corpus({"who": having(share)}, others))
    assert (kin.system, kin.shared, kin.copied) == ("who", round(share * N), True)


def test_a_system_put_together_from_two_references_is_kin_to_both() -> None:
    half = [*REFERENCE[: N // 2], *OTHER_REFERENCE[N // 2 :]]
    kins = kin_of(corpus({"who": half}, first=REFERENCE, second=OTHER_REFERENCE))
    assert [(kin.system, kin.reference, kin.copied) for kin in kins] == [
        ("who", "first", True),
        ("who", "second", True),
    ]
    (kin,) = kin_of(corpus({"who": having(0.9)}, first=REFERENCE, second=OTHER_REFERENCE))
    assert kin.reference == "first"


def test_references_do_not_make_few_systems_many() -> None:
    humans = {f"human-{letter}": edited(REFERENCE, 6) for letter in "ABCDE"}
    assert kin_of(corpus({"a": having(0.15), **humans}, others=2)) == ()
    assert kin_of(corpus({"a": having(0.15)}, others=7)) != ()


# --- what a corpus may have ---------------------------------------------------------------------------------


def test_segments_without_a_reference_do_not_count() -> None:
    some: list[str | None] = [line if number % 2 else None for number, line in enumerate(REFERENCE)]
    (kin,) = kin_of(corpus({"a": having(0.5)}, some=some, other=OTHER_REFERENCE))
    assert (kin.reference, kin.shared, kin.of) == ("some", 75, 150)


def test_of_several_runs_the_one_that_has_most_counts() -> None:
    data = corpus({"a": having(0.3), "a2": having(0.4)})
    systems = {name: runs for name, runs in data.systems.items() if name != "a2"}
    assert [kin.shared for kin in kin_of(replace(data, systems={**systems, "a": ("a", "a2")}))] == [120]


def test_systems_known_by_their_ratings_alone_are_left_out() -> None:
    outputs = {**ORDINARY, "a": having(0.3), "rated": None}
    ratings = {"mqm": Rating(np.zeros((len(outputs), N)), higher_is_better=True)}
    assert [kin.system for kin in kin_of(Corpus.of(outputs, {"ref": REFERENCE}, ratings=ratings))] == ["a"]


# --- stretches ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("others", [1, 2, 7])
def test_a_reference_made_by_editing_every_line_of_an_output_is_found(others: int) -> None:
    data = corpus({"seed": edited(REFERENCE, 6)}, others)
    post_edit = edited(data.outputs["seed"])
    (kin,) = kin_of(replace(data, references={"ref": REFERENCE, "post-edit": post_edit}))
    assert (kin.system, kin.reference) == ("seed", "post-edit")
    assert f"stretches of {WORDS} words" in kin.sentence


def test_a_reference_with_a_word_changed_in_every_line_is_found() -> None:
    assert [kin.system for kin in kin_of(corpus({"a": edited(REFERENCE)}))] == ["a"]


def test_without_spaces_stretches_are_of_characters() -> None:
    def characters(count: int) -> str:
        return "".join(chr(0x4E00 + code) for code in RNG.integers(3_000, size=count))

    reference = [characters(30) for _ in range(N)]
    # One character changed in each line leaves at least one side long enough; every eighth changed leaves none.
    outputs = {"a": [line[:8] + characters(1) + line[9:] for line in reference]}
    for number in range(6):
        outputs[f"sys{number}"] = [
            "".join(line[at : at + 7] + characters(1) for at in (0, 8, 16)) for line in reference
        ]
    (kin,) = kin_of(Corpus.of(outputs, {"ref": reference}))
    assert kin.system == "a"
    assert f"stretches of {CHARACTERS} characters" in kin.sentence


def test_of_one_reference_two_kin_may_be_found_by_different_traces() -> None:
    outputs = {"learner": having(0.15), "editor": edited(REFERENCE)}
    # What has the lines has their stretches, too: the editor has more than twice as many.
    assert [kin.system for kin in kin_of(corpus(outputs))] == ["learner", "editor"]


# --- the doctor ---------------------------------------------------------------------------------------------


def test_the_doctor_warns_of_kin_once_and_says_what_to_do() -> None:
    data = corpus({"learner": having(0.6)}, a=OTHER_REFERENCE, b=REFERENCE)
    found = check_data(data, ["kinship", "reference as system"])
    (one,) = found
    assert (one.check, one.level) == ("kinship", "warning")
    worded(one.where, "'learner'", "'b'")
    worded(one.found, "180 of the 300")
    assert "without that reference" in one.advice
    (alone,) = check_data(corpus({"learner": having(0.6)}), ["kinship", "reference as system"])
    worded(alone.advice)


def test_a_reference_that_competes_is_told_as_such_and_not_as_kin() -> None:
    (one,) = check_data(corpus({"who": REFERENCE}), ["kinship", "reference as system"])
    assert one.check == "reference as system"


# --- real sets ----------------------------------------------------------------------------------------------

# One set of each script and of each form of files in short; the others behind `slow`.
SEVERAL = [
    *(f"wmt22-several/en-{code}" for code in ("ja", "uk")),
    *(pytest.param(f"wmt22-several/en-{code}", marks=pytest.mark.slow) for code in ("cs", "de", "hr", "ru", "zh")),
]
CLEAN = ["wmt21-ru-en", "wmt21-ted-zh-en", "mtme", "wmt-xml", "multeval-example", "sgm/wmt21-ted-zh-en", *SEVERAL]
KIN = {"wmt21-en-de": ("VolcTrans-GLAT", "refB", 365), "wmt22-en-zh": ("Online-B", "refB", 368)}


def compare_mt(shared: Path, kind: str) -> Corpus:
    def lines(which: str) -> list[str]:
        text = (shared / "data" / "compare-mt" / kind.format(which)).read_text(encoding="utf-8")
        return text.split("\n")[:-1]

    return Corpus.of({name: lines(name) for name in ("sys1", "sys2")}, {"ref": lines("ref")})


@lru_cache(maxsize=len(KIN))
def published(place: Path) -> Corpus:
    return read(place)


@pytest.mark.parametrize("folder", KIN)
def test_the_known_kin_in_published_sets_are_found(shared: Path, folder: str) -> None:
    data = published(shared / "data" / folder)
    assert [(kin.system, kin.reference, kin.shared) for kin in kin_of(data)] == [KIN[folder]]
    assert [kin.system for kin in kin_of(data.select(references=["refB"]))] == [KIN[folder][0]]
    assert kin_of(data.select(references=["refA"])) == ()


def ordinary(folder: str, data: Corpus) -> Corpus:
    """Return the corpus without the known kin."""
    kin = KIN[folder][0] if folder in KIN else None
    return data.select([name for name, runs in data.systems.items() if runs and name != kin])


def false_alarms(data: Corpus, rule: Rule, shares: Shares, several: int) -> list[tuple[str, ...]]:
    """Return the choices of so many systems in which the rule names one."""
    found = []
    for chosen in combinations(data.with_text().systems, several):
        own, *others = sorted((shares.counts[name] for name in chosen), reverse=True)
        if rule.holds(own, others, shares.of):
            found.append(chosen)
    return found


@given(st.lists(st.text("ab \t\u2009\x1c漢字ไท", max_size=25), min_size=1, max_size=5), st.integers(2, 3))
@settings(deadline=None, max_examples=30)
def test_stretches_are_runs_of_tokens_that_both_lines_have(lines: list[str], size: int) -> None:
    others = [*lines[1:], lines[0][3:]]

    def runs(line: str) -> set[tuple[str, ...]]:
        # Every character of a script without spaces is a token of its own.
        tokens = "".join(f" {character} " if character in "漢字ไท" else character for character in line).split()
        return {tuple(tokens[start : start + size]) for start in range(len(tokens) - size + 1)}

    shares = equal_stretches(Corpus.of({"x": others, "y": lines}, {"r": lines}), size)["r"]
    expected = sum(len(runs(line) & runs(other)) for line, other in zip(lines, others, strict=True))
    assert shares.counts == {"x": expected, "y": shares.of}
    assert shares.of == sum(len(runs(line)) for line in lines)


def assert_nobody_is_kin(data: Corpus) -> None:
    assert kin_of(data) == ()
    stretches = equal_stretches(data.with_text(), size_of(data)[0])
    for name, reference in data.references.items():
        # Where it is the only one, that was asked of the whole.
        assert len(data.references) == 1 or kin_of(data.select(references=[name])) == ()
        for several in (2, 3):
            assert false_alarms(data, LINES, equal_lines(data, reference), several) == []
            assert false_alarms(data, STRETCHES, stretches[name], several) == []


@pytest.mark.parametrize("folder", ["wmt22-en-zh", *slow("wmt21-en-de", *CLEAN)])
def test_no_ordinary_system_no_pair_and_no_three_of_a_published_set_are_kin(shared: Path, folder: str) -> None:
    assert_nobody_is_kin(ordinary(folder, published(shared / "data" / folder)))


@pytest.mark.parametrize("kind", ["sum.{}.eng", "ted.{}.eng", "ted.{}.detok.eng"])
def test_no_ordinary_system_of_compare_mts_examples_is_kin(shared: Path, kind: str) -> None:
    assert_nobody_is_kin(compare_mt(shared, kind))


def test_no_system_of_the_sample_is_kin() -> None:
    assert_nobody_is_kin(read_sample())


def test_runs_of_one_system_are_not_held_against_each_other() -> None:
    again = [*having(0.3)[:-1], "another end of it all"]
    found = kin_of(corpus({"X.run1": having(0.3), "X.run2": again, "Y.run1": having(0.1)}))
    assert [(kin.system, kin.next_system) for kin in found] == [("X.run1", "Y.run1"), ("X.run2", "Y.run1")]
    # Names that say nothing of runs: two systems that have it alike are no kin.
    assert kin_of(corpus({"X": having(0.3), "Z": again})) == ()
    assert kin_of(corpus({"X.run1": having(0.3), "X.run2": again}, others=0)) == ()


def test_stretches_of_long_lines_are_looked_up_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = read_sample().with_text()
    searched = equal_stretches(data, 3)
    monkeypatch.setattr("mtsig.metrics._kinship._LONG_LINE", 0)
    assert equal_stretches(data, 3) == searched
    words = [f"w{number * number % 99_991}" for number in range(60_000)]
    for place, start in {"refs/r": 0, "systems/a": 7, "systems/b": 11}.items():
        path = tmp_path / f"{place}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"{' '.join(words[start:])}\n{' '.join(words[::-1])}\n", encoding="utf-8")
    done = mtsig("check", "--data", tmp_path, seconds=10, memory=2 * GB)
    assert done.returncode in {0, 1, 2}, done.stderr[-500:]
    assert "Traceback" not in done.stderr
