"""Lines that fit another place, another length, another script or language are found where they are."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from kept import Kept, lacking, worded
from layouts import made
from planted import REFERENCE, SAMPLE, SOURCES, SYSTEM, TWO, corpus, everywhere, found, put, slipped, with_lines
from sampled import crossed, sampled, slow
from scipy import stats

from mtsig import Corpus, check_data, read_sample
from mtsig.doctor import Finding, check_parts
from mtsig.doctor._fit import check_shifts
from mtsig.doctor._view import View
from mtsig.readers import File
from mtsig.readers._read import parts_of

WORDS = [f"{first}{second}" for first in "bcdfgklm" for second in ("ana", "eru", "ilo", "osti", "ume", "yk")]


# Every two of a start, a length and a direction; every three behind `slow`.
@pytest.mark.parametrize(
    ("start", "count", "by"),
    [
        pytest.param(start, count, by, marks=() if (i + j + k) % 2 == 0 else pytest.mark.slow)
        for i, start in enumerate(range(5, 190, 24))
        for j, count in enumerate((4, 10))
        for k, by in enumerate((1, -1, 2, -4))
    ],
)
def test_a_block_that_slipped_is_found_where_it_is(start: int, count: int, by: int) -> None:
    count = min(count, 195 - start)
    found = check_data(with_lines(slipped(start, count, by), TWO), ["shifts"]).warnings
    assert len(found) == 1
    words = f"{abs(by)} line{'s' if abs(by) > 1 else ''} {'later' if by > 0 else 'earlier'}"
    assert words in found[0].found
    # A line at either end may happen to fit as well where it is.
    assert abs(found[0].lines[0] - (start + 1)) <= 2
    assert f"system {SYSTEM!r}" in found[0].where


def test_a_system_is_held_against_other_systems_where_there_is_no_reference() -> None:
    corpus = replace(with_lines(slipped(50, 30)), references={})
    (found,) = check_data(corpus, ["shifts"]).warnings
    assert f"system {SYSTEM!r}, lines 51–" in found.where
    assert "other systems' output" in found.found


def parts_without(line: int) -> list:
    lines = [text for number, text in enumerate(SAMPLE.outputs[SYSTEM]) if number != line]
    texts = {"ref.txt": REFERENCE, "b.txt": SAMPLE.outputs["direct-us"], "a.txt": lines}
    return parts_of([File(name, ("\n".join(some) + "\n").encode()) for name, some in texts.items()])


def test_the_line_from_which_a_text_slipped_is_found() -> None:
    misses = []
    for line in range(2, 198, 9):
        (found,) = check_parts(parts_without(line))
        assert found.check == "lengths"
        assert not lacking(found.found, "199 lines", "200")
        misses.append(abs(found.lines[0] - (line + 1)))
    assert np.median(misses) == 0
    assert np.mean(np.array(misses) <= 1) >= 0.9
    assert max(misses) <= 5


def test_blank_lines_at_the_end_and_missing_ones_are_told_apart(kept: Kept) -> None:
    whole = list(SAMPLE.outputs[SYSTEM])

    def finding(lines: list[str]) -> Finding:
        texts = {"ref.txt": REFERENCE, "b.txt": SAMPLE.outputs["direct-us"], "a.txt": lines}
        (found,) = check_parts(
            parts_of([File(name, ("\n".join(some) + "\n").encode()) for name, some in texts.items()])
        )
        return found

    blank = finding([*whole, "", ""])
    assert blank.lines == (201,)
    assert not lacking(blank.found, "from 201") + lacking(blank.advice, "after line 200")
    cut = finding(whole[:190])
    assert not lacking(cut.found, repr("ref"), "line 190") + lacking(cut.advice, "missing")
    more = finding([*whole, "And so on."])
    assert not lacking(more.found, repr("ref"), "line 200") + lacking(more.advice, "no segment")
    kept("check", *(f"{one.found} {one.advice}" for one in (blank, cut, more)))


def test_texts_split_at_other_separators_are_told_apart() -> None:
    whole = ["one", "two\u2028three", "four"]
    split = ["one", "two", "three", "four"]
    texts = {"ref.txt": split, "b.txt": split, "a.txt": whole}
    files = [File(name, ("\n".join(some) + "\n").encode()) for name, some in texts.items()]
    (found,) = check_parts(parts_of(files))
    assert "U+2028" in found.advice


def test_documents_that_changed_places_are_found_to_the_line_and_a_shuffled_text_once(kept: Kept) -> None:
    sample = read_sample()
    lines = list(sample.lines("direct"))
    shuffled = [lines[i] for i in np.random.default_rng(1).permutation(len(lines))]

    def shifts(changed: list[str]) -> list[tuple[str, str]]:
        found = check_data(Corpus.of({**sample.outputs, "direct": changed}, sample.references))
        return [(one.where, one.found) for one in found if one.check == "shifts"]

    later, earlier = shifts(lines[:50] + lines[60:70] + lines[50:60] + lines[70:])
    assert not lacking(later[0], repr("direct"), "51–60") + lacking(later[1], "10 lines later")
    assert not lacking(earlier[0], repr("direct"), "61–70") + lacking(earlier[1], "10 lines earlier")
    (whole,) = shifts(shuffled)
    assert whole[0] == "system 'direct'"
    kept("check", *later, *earlier, *whole)


def test_no_line_beyond_the_file_is_to_be_looked_at(kept: Kept) -> None:
    (inside,) = check_data(with_lines(slipped(50, 60), TWO), ["shifts"]).warnings
    last = int(inside.where.rpartition("–")[2])
    assert not lacking(str(inside), "missing there", f"at line {last + 1}. ".strip())
    (to_the_end,) = check_data(with_lines(slipped(150, 50, -1), TWO), ["shifts"]).warnings
    assert "–200" in to_the_end.where
    assert not lacking(str(to_the_end), "too many there", "at the end.")
    kept("check", str(inside), str(to_the_end))


@sampled("line", [20, 90, 100, 110, 150], most=2)
def test_a_line_that_is_missing_anywhere_is_a_shift_and_nothing_else(line: int) -> None:
    """Half of the lines fit, the others do not: a text of which that is so does not fit nowhere."""
    corpus = read_sample()
    lines = list(corpus.outputs["direct"])
    slipped = Corpus.of(
        {**corpus.outputs, "direct": [*lines[:line], *lines[line + 1 :], "the end of it all ."]}, corpus.references
    )
    found = [finding for finding in check_data(slipped).findings if finding.check == "shifts"]
    assert len(found) == 1
    assert not lacking(found[0].where, repr("direct"), f"{line + 1}–199")


def russian(number: int) -> str:
    return f"Это строка на другом языке, номер {number}, и переводить её никто не стал"


def test_lines_in_another_script_that_the_reference_has_too_are_noted_once() -> None:
    (one,) = found(corpus(everywhere(russian), put(REFERENCE, russian)), "script")
    assert (one.where, one.level) == ("references and systems", "note")
    assert "10 of 200" in one.found


def test_lines_in_another_script_that_the_reference_alone_has_are_its_own() -> None:
    (one,) = found(corpus(everywhere(russian, systems=0), put(REFERENCE, russian)), "script")
    assert (one.where, one.level) == ("reference 'ref'", "warning")


def test_lines_in_another_script_that_the_reference_has_not_are_one_warning() -> None:
    (one,) = found(corpus(everywhere(russian)), "script")
    assert one.level == "warning"
    assert all(repr(name) in one.where + one.found for name in SAMPLE.outputs)


def test_one_system_that_has_a_references_line_in_another_script_is_not_blamed_for_it() -> None:
    (one,) = found(corpus(everywhere(russian, systems=1), put(REFERENCE, russian)), "script")
    assert one.where == "reference 'ref'"


JAPANESE = "これは日本語で書かれた文です。今日は天気がとても良いので散歩に行きましょう。"


def test_names_in_a_translated_japanese_line_make_it_no_line_in_the_source_language() -> None:
    name = "The Royal Mail International Signed For Limited Company"
    outputs = {"a": put([JAPANESE] * 200, lambda _: f"{name}から荷物が届きました。"), "b": [JAPANESE] * 200}
    data = Corpus.of(outputs, {"ref": [JAPANESE] * 200}, sources=[f"{name} sent a parcel."] * 200)
    assert found(data, "language") == []
    left = replace(data, outputs={**outputs, "a": put([JAPANESE] * 200, lambda _: f"{name} sent a parcel.")})
    assert [one.where for one in found(left, "script")] == ["system 'a'"]


def test_lines_in_the_source_language_are_one_finding_unless_the_reference_has_them() -> None:
    outputs, reference = everywhere(lambda n: f"{SOURCES[n]} ok"), put(REFERENCE, lambda n: f"{SOURCES[n]} ja")
    (one,) = found(corpus(outputs), "language")
    assert one.level == "warning"
    assert all(repr(name) in one.where + one.found for name in SAMPLE.outputs)
    assert found(corpus(outputs, reference), "language") == []


def made_line(kind: str, number: int, rng: np.random.Generator) -> str:
    """A line of text whose neighbours are much like it."""
    who, what, colour = rng.choice([*"ABCDE"]), rng.choice(["lamp", "wheel", "door", "lever"]), rng.choice([*"rgby"])
    return {
        "steps": f"Step {number}: press the {colour} {what} and wait {rng.integers(60)} seconds.",
        "dialog": rng.choice(
            [
                "Yes .",
                "No , thank you .",
                "I do not know .",
                f"See you tomorrow , {who} .",
                f"What did {who} say of the {what} ?",
            ]
        ),
        "results": f"{who} won game {number} by {rng.integers(6)} to {rng.integers(6)}.",
    }[kind]


@sampled("kind", ["steps", "dialog", "results"], most=1)
def test_weak_systems_are_not_called_misaligned(kind: str) -> None:
    """Words at random are bad translations in their place; few lines fit a neighbour's reference better by chance."""
    certain = any_ = 0
    for seed in range(15):
        rng = np.random.default_rng(seed)
        reference = [made_line(kind, number, rng) for number in range(200)]
        words = " ".join(reference).split()
        outputs = {
            f"{name}{share}": [
                " ".join(words[rng.integers(len(words))] if rng.random() < share else word for word in line.split())
                for line in reference
            ]
            for name, share in (("a", 0.2), ("b", 0.4), ("c", 0.4), ("d", 0.5))
        }
        shifts = [*check_shifts(View(Corpus.of(outputs, {"ref": reference})))]
        certain += sum(finding.confidence == "certain" for finding in shifts)
        any_ += len({system for finding in shifts for system in finding.systems})
    assert certain == 0
    assert any_ <= stats.binom.ppf(0.999, 60, 0.05)


def test_texts_without_a_common_order_are_read_to_the_end() -> None:
    """More than half of the texts have each line that fits elsewhere, but none has all of these lines."""
    rng = np.random.default_rng(4)
    reference = [" ".join(rng.choice(WORDS, 9)) for _ in range(60)]
    outputs = {}
    for name, left in (("a", 10), ("b", 20), ("c", 30)):
        swapped = {number for number in (10, 20, 30, 40, 50) if number != left}
        outputs[name] = [
            reference[number + (number in swapped) - (number - 1 in swapped)] for number in range(len(reference))
        ]
    shifts = found(Corpus.of(outputs, {"ref": reference}), "shifts")
    assert [finding.where for finding in shifts] == ["the reference"]


N = 120
TEXTS = made(N)


def told(lines: Sequence[str]) -> str:
    files = [File("refs/ref.txt", "\n".join(TEXTS["ref"]).encode())]
    systems = {"alpha": lines, "beta": TEXTS["beta"]}
    files += [File(f"systems/{name}.txt", "\n".join(own).encode()) for name, own in systems.items()]
    (found,) = [finding for finding in check_parts(parts_of(files)) if finding.check == "lengths"]
    return found.found


def with_strays(extra: Sequence[int], missing: Sequence[int]) -> list[str]:
    """Return the made output with stray lines before those of these numbers, from 0, and without others."""
    lines = []
    for i, line in enumerate(TEXTS["alpha"]):
        lines += [f"Stray words of no sentence {i} whatever."] * (i in extra)
        lines += [line] * (i not in missing)
    return lines


@crossed("count, seed", [2, 3, 6], range(6))
def test_every_line_too_many_is_told(count: int, seed: int) -> None:
    extra = sorted(random.Random(seed).sample(range(5, N - 5, 3), count))
    expected = ", ".join(str(number + 1 + before) for before, number in enumerate(extra))
    assert not lacking(told(with_strays(extra, ())), f"{count} lines", f": lines {expected}.")


@crossed("count, seed", [2, 3, 6], range(6))
def test_every_line_that_is_missing_is_told(count: int, seed: int) -> None:
    missing = sorted(random.Random(seed).sample(range(5, N - 5, 3), count))
    expected = ", ".join(str(number + 1) for number in missing)
    assert not lacking(told(with_strays((), missing)), f": lines {expected} ", repr("ref"))


def test_some_of_each_are_told(kept: Kept) -> None:
    said = told(with_strays((10, 60, 90), (30,)))
    assert not lacking(said, "11, 61, 92.", "line 31")
    kept("check", said)


def test_those_at_both_ends_and_very_many_are_told() -> None:
    assert not lacking(told(["# head", *TEXTS["alpha"], "200 lines translated"]), "2 lines", "1, 122.")
    assert not lacking(told(TEXTS["alpha"][1:-1]), "Missing", "1, 120")
    assert not lacking(told(with_strays(range(2, N - 2, 2), ())), "58 lines", "3, 6, 9,")
    other = [f"Quite another text of some other set {7 * i % 13}." for i in range(N + 2)]
    assert "too many: line" not in told(other)


def test_one_place_is_told_as_where_the_text_slips() -> None:
    assert "line 41" in told(with_strays((40,), ()))


def glued(lines: Sequence[str], at: Sequence[int], count: int = 2) -> list[str]:
    """Return the lines with so many joined to one from each of these numbers on."""
    inside = {number + more for number in at for more in range(1, count)}
    return [
        " ".join(lines[number : number + count]) if number in at else line
        for number, line in enumerate(lines) if number not in inside
    ]  # fmt: skip


def halved(lines: Sequence[str], at: Sequence[int]) -> list[str]:
    """Return the lines with those of these numbers broken in two."""
    cut = {number: len(lines[number].split()) // 2 for number in at}
    pieces = [
        [line.split()[: cut[n]], line.split()[cut[n] :]] if n in cut else [[line]] for n, line in enumerate(lines)
    ]
    return [" ".join(own) for several in pieces for own in several]


def of_sample(lines: Sequence[str]) -> str:
    texts = {"ref.txt": REFERENCE, "b.txt": SAMPLE.outputs["direct-us"], "a.txt": lines}
    files = [File(name, "\n".join(map(str, some)).encode()) for name, some in texts.items()]
    return " ".join(str(finding) for finding in check_parts(parts_of(files)) if finding.check == "lengths")


@pytest.mark.parametrize("count", [2, *slow(1, 3)])
def test_lines_that_were_glued_or_split_are_called_that(count: int, kept: Kept) -> None:
    whole, rng = list(SAMPLE.outputs[SYSTEM]), random.Random(count)
    told = {"glued": 0, "split": 0}
    tries = 3
    for _ in range(tries):
        at = sorted(rng.sample(range(4, 190, 6), count))
        said = of_sample(glued(whole, at))
        places = [(f"line {n + 1 - i} holds lines {n + 1}–{n + 2} of") in said for i, n in enumerate(at)]
        told["glued"] += sum(places)
        assert "split" not in said
        said = of_sample(halved(whole, at))
        told["split"] += sum(f"lines {n + 1 + i}–{n + 2 + i} are line {n + 1} of" in said for i, n in enumerate(at))
        assert "glued" not in said
        said = of_sample([line for n, line in enumerate(whole) if n not in at])
        assert "glued" not in said
        assert "split" not in said
    assert told["glued"] >= 0.8 * count * tries
    assert told["split"] >= 0.6 * count * tries
    three = of_sample(glued(whole, [4 + 50 * count], 3))
    worded(three, f"{5 + 50 * count} holds", f"{5 + 50 * count}–{7 + 50 * count}")
    kept("check", of_sample(glued(whole, [50, 90][:count])), three, of_sample(halved(whole, [70, 90][:count])))


def test_glue_is_named_where_the_lengths_agree(kept: Kept) -> None:
    (found,) = check_data(with_lines(lambda lines: [*glued(lines, [50]), "The end."], TWO), ["shifts"]).warnings
    worded(found.found, "51 holds", "51–52")
    (back,) = check_data(with_lines(lambda lines: halved(lines, [50])[:-1], TWO), ["shifts"]).warnings
    worded(back.found, "51–52", "51")
    kept("check", found.found, back.found)


PARTS: dict[str, tuple[Callable[[list[str]], list[str]], list[tuple[int, int, str]]]] = {
    "exchanged": (lambda own: own[:50] + own[100:150] + own[50:100] + own[150:],
                  [(51, 100, "50 lines later"), (101, 150, "50 lines earlier")]),
    "halves": (lambda own: own[100:] + own[:100], [(1, 100, "100 lines later"), (101, 200, "100 lines earlier")]),
    "one twice": (lambda own: own[:60] * 2 + own[120:], [(61, 120, "60 lines earlier")]),
    "moved up": (lambda own: own[:100] + own[150:190] + own[100:150] + own[190:],
                 [(101, 140, "50 lines later"), (141, 190, "40 lines earlier")]),
}  # fmt: skip


@pytest.mark.parametrize("kind", PARTS)
def test_parts_in_another_order_are_told_with_their_places(kind: str) -> None:
    change, wanted = PARTS[kind]
    lines = tuple(change(list(SAMPLE.outputs[SYSTEM])))
    assert check_data(SAMPLE, ["shifts"]).findings == ()
    found = check_data(replace(SAMPLE, outputs={**SAMPLE.outputs, SYSTEM: lines}), ["shifts"]).findings
    assert len(found) == len(wanted)
    for finding, (first, last, by) in zip(sorted(found, key=lambda one: one.lines), wanted, strict=True):
        assert by in finding.found
        assert "in another order" in finding.advice
        assert finding.systems == (SYSTEM,)
        assert finding.span is not None
        assert abs(finding.span[0] - first) <= 10 >= abs(finding.span[1] - last)


@pytest.mark.parametrize("separator", [" ", "\u2028", "\x85"])
def test_all_segments_on_one_line_are_told_as_that(separator: str) -> None:
    texts = {"ref.txt": REFERENCE, "b.txt": SAMPLE.outputs["direct-us"], "a.txt": [separator.join(REFERENCE)]}
    files = [File(name, ("\n".join(some) + "\n").encode()) for name, some in texts.items()]
    (found,) = check_parts(parts_of(files))
    assert not lacking(found.found, "1 line", "200") + lacking(found.advice, "line breaks lost", "line of its own")
