"""The ledger: what a look may spend, by which rule, who may look again, and that nobody changes what was written."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import portalocker
import pytest
import scipy.stats
from kept import worded
from made import ROOT
from made_gate import differing, rated

from mtsig import Corpus, Settings
from mtsig.collection import Sets
from mtsig.errors import InvalidOption, ReadError
from mtsig.gate import RULES, GateResult, judge, read_ledger
from mtsig.gate._ledger import gamma, lord, spend

T = Settings(test="jackknife-t", n_resamples=200)
SE = 1 / np.sqrt(200)
OLD = np.random.default_rng(9).normal(50, 5, 200)


def candidate(number: int, mean: float = 0.0) -> Corpus:
    return rated({"old": OLD, f"new{number}": OLD + differing(mean, seed=number)})


def look(ledger: Path, number: int, mean: float = 0.0, **more: Any) -> GateResult:
    more = {"settings": T, **more}
    return judge(candidate(number, mean), "old", f"new{number}", ["rating:score"], ledger=ledger, **more)


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return tmp_path / "looks.jsonl"


def test_every_look_has_its_error_rate_in_test_and_interval(ledger: Path) -> None:
    """A candidate two and a half standard errors behind: significant in the first look, and in none after."""
    for number in range(1, 5):
        found = look(ledger, number, -2.5 * SE)
        alpha = 0.05 * 6 / np.pi**2 / number**2
        assert found.alpha == pytest.approx(alpha)
        assert found.outcome == ("regression" if number == 1 else "pass")
        half = scipy.stats.t.isf(alpha / 2, 199) * SE
        check = found.checks[0]
        assert (check.ci_low, check.ci_high) == pytest.approx((-2.5 * SE - half, -2.5 * SE + half))
        assert check.p_value == pytest.approx(2 * scipy.stats.t.sf(2.5, 199))
    looks = read_ledger(ledger).looks
    assert [one.spent for one in looks] == pytest.approx([spend(0.05, [False] * j) for j in range(4)])


def test_a_margin_is_held_against_the_interval_of_the_look(ledger: Path) -> None:
    look(ledger, 1)
    half = scipy.stats.t.isf(spend(0.05, [False]) / 2, 199) * SE
    assert look(ledger, 2, -0.5 - half + 1e-6, margin=0.5).outcome == "inconclusive"
    half = scipy.stats.t.isf(spend(0.05, [False] * 2) / 2, 199) * SE
    assert look(ledger, 3, -0.5 - half - 1e-6, margin=0.5).outcome == "regression"


@pytest.mark.slow
def test_a_look_far_out_has_a_level_that_no_setting_has(ledger: Path) -> None:
    """Look 20 spends .000076: ar needs 131,595 draws, and has them; look 30 would need too many."""
    plain = Settings(n_resamples=200, unit="segment")
    for number in range(1, 20):
        look(ledger, number)
    found = look(ledger, 20, -1.0, settings=plain)
    assert (found.checks[0].test, found.outcome) == ("ar", "regression")
    assert found.checks[0].n_resamples == np.ceil(10 / (0.05 * 6 / np.pi**2 / 400))
    worded(found.notes, "7.6e-05 needs")
    assert found.checks[0].ci_high == pytest.approx(scipy.stats.t.isf(found.alpha / 2, 199) * SE - 1)
    for number in range(21, 30):
        look(ledger, number)
    found = look(ledger, 30, settings=plain)
    assert found.checks[0].test == "jackknife-t"
    worded(found.notes, "296,089 resamples")


def test_the_same_candidate_on_the_same_data_costs_nothing(ledger: Path) -> None:
    first, _ = look(ledger, 1, -1.0), look(ledger, 2)
    before = ledger.read_bytes()
    again = look(ledger, 1, -1.0)
    assert again.alpha == first.alpha
    assert again.checks == first.checks
    assert again.look is not None
    assert (again.look.number, again.look.repeated) == (1, True)
    renamed = candidate(1, -1.0)
    renamed = replace(renamed, systems={"old": (), "other name": ()})
    assert judge(renamed, "old", "other name", ["rating:score"], settings=T, ledger=ledger).alpha == first.alpha
    assert ledger.read_bytes() == before


def test_another_question_costs_a_look(ledger: Path) -> None:
    look(ledger, 1)
    for more in ({"margin": 0.5}, {"margin": 0.6}, {"settings": replace(T, seed=1)}, {"weights": "segments"}):
        look(ledger, 1, **more)
    better = rated({"old": OLD + 0.1, "new1": OLD + differing(0, seed=1)})
    judge(better, "old", "new1", ["rating:score"], settings=T, ledger=ledger)
    assert len(read_ledger(ledger).looks) == 6


def test_the_same_candidate_with_more_data_is_refused(ledger: Path) -> None:
    look(ledger, 1)
    before = ledger.read_bytes()
    more = np.concatenate([OLD, OLD[:50]])
    longer = rated({"old": more, "new1": more + differing(0, 250)})
    with pytest.raises(InvalidOption, match=r"line 1: new1 was tested on other test data.*sequential test"):
        judge(longer, "old", "new1", ["rating:score"], settings=T, ledger=ledger)
    two = Sets.of({"a": candidate(1), "b": candidate(1)})
    with pytest.raises(InvalidOption, match="other test data"):
        judge(two, "old", "new1", ["rating:score"], settings=T, ledger=ledger)
    assert ledger.read_bytes() == before
    # Another system on other data is a look like any other; so is the same name with other outputs on the same data.
    fresh = rated({"old": more, "new9": more + differing(0, 250)})
    assert judge(fresh, "old", "new9", ["rating:score"], settings=T, ledger=ledger).alpha == spend(0.05, [False])
    nightly = rated({"old": OLD, "new1": OLD + differing(0.1, seed=77)})
    assert judge(nightly, "old", "new1", ["rating:score"], settings=T, ledger=ledger).alpha == spend(0.05, [False] * 2)


def test_sets_in_another_order_or_by_another_name_are_the_same_data(ledger: Path) -> None:
    a, b = candidate(1), rated({"old": OLD[:150], "new1": OLD[:150] + differing(0.1, 150)})
    for sets in ({"a": a, "b": b}, {"b": b, "a": a}, {"2024": a, "2025": b}):
        judge(Sets.of(sets), "old", "new1", ["rating:score"], settings=T, sharing="separate", ledger=ledger)
    assert len(read_ledger(ledger).looks) == 1


def test_a_ledger_that_is_held_too_long_is_told(ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtsig.gate._ledger.WAIT", 0.1)
    look(ledger, 1)
    with portalocker.Lock(ledger, "a+b"), pytest.raises(ReadError, match="another run has held the ledger"):
        look(ledger, 2)
    assert look(ledger, 2).look is not None


def test_lord_earns_by_regressions(ledger: Path) -> None:
    levels = [look(ledger, 1, rule="lord").alpha, look(ledger, 2, -3.0).alpha, look(ledger, 3).alpha]
    assert levels == pytest.approx([lord(0.05, []), lord(0.05, [False]), lord(0.05, [False, True])])
    assert levels[2] > levels[1]
    assert {one.rule for one in read_ledger(ledger).looks} == {"lord"}


def test_a_ledger_keeps_its_rule_and_its_level(ledger: Path) -> None:
    look(ledger, 1)
    with pytest.raises(InvalidOption, match=r"uses the rule spend, which cannot change; found lord"):
        look(ledger, 2, rule="lord")
    with pytest.raises(InvalidOption, match=r"begun at level 95%, which cannot change; found 99%"):
        look(ledger, 2, settings=replace(T, level=0.99))
    with pytest.raises(InvalidOption, match="rule must be spend or lord"):
        look(ledger, 2, rule="bonferroni")


# --- what is written --------------------------------------------------------------------------------------------------


@pytest.fixture
def three(ledger: Path) -> Path:
    for number, mean in enumerate((-3.0, 0.0, -0.2), start=1):
        look(ledger, number, mean)
    return ledger


def test_a_line_says_what_was_looked_at(three: Path) -> None:
    first = json.loads(three.read_text().splitlines()[0])
    assert first["candidate"] == "new1"
    assert first["outcome"] == "regression"
    assert first["spent"] == pytest.approx(0.0304, rel=1e-2)
    assert first["metrics"][0]["p_value"] < 1e-10
    assert first["time"].endswith("+00:00")
    frame = read_ledger(three).to_frame()
    assert list(frame["look"]) == [1, 2, 3]


def test_the_chain_can_be_followed_without_this_program(three: Path) -> None:
    previous = "sha256:" + hashlib.sha256(b"mtsig-gate/1").hexdigest()
    for line in three.read_text().splitlines():
        digest = json.loads(line)["digest"]
        bare = line.replace(digest, "")
        assert digest == "sha256:" + hashlib.sha256(bare.encode()).hexdigest()
        assert json.loads(line)["previous"] == previous
        previous = digest


def _sealed(line: dict[str, Any]) -> dict[str, Any]:
    """Return a line with the digest that it would have: what a forger can do, too."""
    bare = json.dumps({**line, "digest": ""}, separators=(",", ":"), ensure_ascii=False)
    return {**line, "digest": "sha256:" + hashlib.sha256(bare.encode()).hexdigest()}


Change = Callable[[list[dict[str, Any]]], list[dict[str, Any]]]

CHANGES: dict[str, tuple[Change, int]] = {
    "first verdict": (lambda lines: [{**lines[0], "outcome": "pass"}, *lines[1:]], 1),
    "last verdict": (lambda lines: [*lines[:2], {**lines[2], "outcome": "regression"}], 3),
    "level": (lambda lines: [lines[0], {**lines[1], "spent": 0.02}, lines[2]], 2),
    "name": (lambda lines: [lines[0], {**lines[1], "candidate": "new7"}, lines[2]], 2),
    "taken out": (lambda lines: [lines[0], lines[2]], 2),
    "first taken out": (lambda lines: lines[1:], 1),
    "another order": (lambda lines: [lines[0], lines[2], lines[1]], 2),
    "twice": (lambda lines: [*lines, lines[2]], 4),
    "forged and sealed": (lambda lines: [_sealed({**lines[0], "outcome": "pass"}), *lines[1:]], 2),
    "a level of its own, sealed": (lambda lines: [*lines[:2], _sealed({**lines[2], "spent": 0.05})], 3),
    "another alpha, sealed": (lambda lines: [*lines[:2], _sealed({**lines[2], "alpha": 0.5})], 3),
    "foreign": (lambda lines: [*lines, {"hello": "world"}], 4),  # type: ignore[list-item]
    "another form": (lambda lines: [_sealed({**lines[0], "form": "mtsig-gate/2"})], 1),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_was_changed_is_noticed_with_its_line(change: str, three: Path) -> None:
    made, line = CHANGES[change]
    lines = made([json.loads(one) for one in three.read_text().splitlines()])
    three.write_text("".join(json.dumps(one, separators=(",", ":"), ensure_ascii=False) + "\n" for one in lines))
    before = three.read_bytes()
    with pytest.raises(ReadError, match=rf"looks\.jsonl, line {line}: "):
        look(three, 9)
    assert three.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"name,score\nA,1\n", 1), (b"\n", 1), (b"{}\n", 1), (b"\xff\xfe\n", 1), (b"[" * 100_000 + b"\n", 1),
        (b"<html>", 1), (b"null\n", 1), (b'{"form": 1e999}\n', 1),
    ],
)  # fmt: skip
def test_a_foreign_file_is_refused_and_left_alone(content: bytes, line: int, ledger: Path) -> None:
    ledger.write_bytes(content)
    with pytest.raises(ReadError, match=rf"line {line}: ") as refused:
        look(ledger, 1)
    assert str(refused.value).count(f"line {line}") == 1
    assert ledger.read_bytes() == content


def test_a_line_that_was_cut_off_is_noticed(three: Path) -> None:
    whole = three.read_bytes()
    for cut in (1, 200):
        three.write_bytes(whole[:-cut])
        with pytest.raises(ReadError, match="line 3: the line is incomplete"):
            look(three, 4)


def test_lines_cut_off_whole_show_in_the_last_digest(three: Path) -> None:
    head = read_ledger(three).head
    three.write_bytes(b"".join(three.read_bytes().splitlines(keepends=True)[:2]))
    assert read_ledger(three).head != head


def test_a_line_that_says_a_thing_twice_is_no_line(three: Path) -> None:
    three.write_bytes(three.read_bytes().replace(b'"outcome":', b'"outcome":"pass","outcome":', 1))
    with pytest.raises(ReadError, match="occurs twice"):
        read_ledger(three)


@pytest.mark.parametrize(
    "spelled",
    [
        lambda line: line.replace(b'"form":', b'"approved_by":"lead","form":', 1),
        lambda line: line.replace(b'"metric":', b'"note":1,"metric":', 1),
        lambda line: line.replace(b'"alpha":0.05', b'"alpha":5e-2', 1),
        lambda line: line.replace(b'"alpha":0.05', b'"alpha":0.050', 1),
        lambda line: line.replace(b'"margin":null', b'"margin": null', 1),
        lambda line: line.replace(b"mtsig-gate/1", b"mtsig-gate\\u002f1", 1),
        lambda line: line.replace(b"{", b"{ ", 1),
        lambda line: line.replace(b"}\n", b"}\t\n", 1),
    ],
)
def test_a_line_in_other_letters_is_a_changed_one(spelled: Callable[[bytes], bytes], three: Path) -> None:
    first, *others = three.read_bytes().splitlines(keepends=True)
    assert spelled(first) != first
    three.write_bytes(b"".join([spelled(first), *others]))
    with pytest.raises(ReadError, match="line 1: the line was changed after it was written"):
        look(three, 9)


def test_ends_of_lines_may_be_those_of_windows(three: Path) -> None:
    head = read_ledger(three).head
    three.write_bytes(three.read_bytes().replace(b"\n", b"\r\n"))
    assert read_ledger(three).head == head
    look(three, 9)
    assert len(read_ledger(three).looks) == 4


def test_what_is_no_file_is_no_ledger(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="a ledger must be a file"):
        look(tmp_path, 1)
    with pytest.raises(ReadError, match="cannot be opened"):
        look(tmp_path / "nowhere" / "looks.jsonl", 1)
    with pytest.raises(ReadError, match="there is no such file"):
        read_ledger(tmp_path / "none.jsonl")


AT_ONCE = """
import sys
import numpy as np
from made_gate import differing, rated
from mtsig import Settings
from mtsig.gate import judge
old = np.random.default_rng(9).normal(50, 5, 200)
for number in range(int(sys.argv[2]), int(sys.argv[2]) + 5):
    corpus = rated({"old": old, f"new{number}": old + differing(0, seed=number)})
    settings = Settings(test="jackknife-t", n_resamples=200)
    judge(corpus, "old", f"new{number}", ["rating:score"], settings=settings, ledger=sys.argv[1])
"""


def test_two_at_once_are_two_looks(ledger: Path) -> None:
    here = Path(__file__).parent
    path = f"{ROOT}:{here}:{here.parent}"
    running = [
        subprocess.Popen(
            [sys.executable, "-c", AT_ONCE, str(ledger), str(start)], env={"PYTHONPATH": path, "OMP_NUM_THREADS": "1"}
        )
        for start in (1, 11)
    ]
    assert [one.wait(120) for one in running] == [0, 0]
    looks = read_ledger(ledger).looks
    assert sorted(one.candidate for one in looks) == sorted(
        f"new{i}" for start in (1, 11) for i in range(start, start + 5)
    )
    assert [one.spent for one in looks] == pytest.approx([spend(0.05, [False] * j) for j in range(10)])


@pytest.mark.parametrize("how", ["replaced", "removed", "restored"])
def test_a_ledger_that_is_exchanged_meanwhile_takes_no_look(how: str, ledger: Path) -> None:
    """As git checkout does: what is then written into the old file nobody would ever read."""
    look(ledger, 1)
    before = ledger.read_bytes()

    def exchange(_: GateResult) -> None:
        if how != "removed":
            other = ledger.with_name("other.jsonl")
            other.write_bytes(before if how == "restored" else b"")
            other.replace(ledger)
        else:
            ledger.unlink()

    with pytest.raises(ReadError, match="cannot be written"):
        look(ledger, 2, before=exchange)
    assert (ledger.read_bytes() if ledger.exists() else before) in {b"", before}
    if how == "restored":
        assert look(ledger, 2).alpha == spend(0.05, [False])


ELSEWHERE = (
    0.0013379192728150216, 0.00029095514457354353, 0.00024781246986151784, 0.001544009424289205, 0.0031415154329372864,
    0.0009808702675502263, 0.0008347011966619263, 0.0007055326814650504, 0.000607614709360615, 0.0032085759658095907,
    0.001055952960042606, 0.0009225383393516282, 0.000800455055118636, 0.0007054772625426827, 0.0006310214815207787,
)  # fmt: skip
"""Levels of online-fdr 1.0.0's LordPlusPlus(0.05, 0.025) where tests 3, 4 and 9 of 15 are rejected."""

THEIR_CONSTANT = 0.07720838
"""Theirs times Σ log(max(j, 2))/(j exp(√log j)) is .976: all their levels are smaller by this factor."""


def test_lord_is_another_programs_lord_but_for_the_constant() -> None:
    regressions = [number in (3, 4, 9) for number in range(1, 16)]
    ours = np.array([lord(0.05, regressions[:i]) for i in range(15)])
    factor = gamma(1) / (THEIR_CONSTANT * np.log(2))
    assert ours == pytest.approx(np.array(ELSEWHERE) * factor, rel=1e-12)
    assert 1.02 < factor < 1.03


def test_lord_by_hand() -> None:
    """W₀ = .025; after a first regression in look 1 and a second in look 3, look 5 has all three terms."""
    expected = 0.025 * gamma(5) + 0.025 * gamma(4) + 0.05 * gamma(2)
    assert lord(0.05, [True, False, True, False]) == pytest.approx(expected)
    assert lord(0.05, [False, False]) == pytest.approx(0.025 * gamma(3))


def test_gamma_sums_to_one() -> None:
    """Between the sums of the first million and an integral on either side of each further term."""
    first = np.arange(1, 1_000_001, dtype=np.float64)
    known = gamma(1) / np.log(2) * np.sum(np.log(np.maximum(first, 2)) / (first * np.exp(np.sqrt(np.log(first)))))
    # ∫ u exp(−√u) du from u₀ by quadrature in s = √u, far enough out that nothing is left.
    s = np.linspace(np.sqrt(np.log(1e6)), 60, 400_001)
    rest = gamma(1) / np.log(2) * np.trapezoid(2 * s**3 * np.exp(-s), s)
    assert known + rest == pytest.approx(1, abs=2e-7)
    assert known < 0.6


def test_the_wealth_of_lord_is_never_overspent() -> None:
    """What was spent is at most W₀ and what was earned: α for every regression, α − W₀ for the first."""
    rng = np.random.default_rng(5)
    regressions: list[bool] = []
    spent = 0.0
    for _ in range(300):
        spent += lord(0.05, regressions)
        earned = 0.05 * max(sum(regressions) - 1, 0) + 0.025 * bool(sum(regressions))
        assert spent <= 0.025 + earned
        regressions.append(bool(rng.random() < 0.1))


def test_spend_sums_to_alpha_whatever_was_found() -> None:
    levels = [spend(0.05, [True] * j) for j in range(2_000)]
    assert 0.05 - 0.05 * 6 / np.pi**2 / 2_000 <= sum(levels) < 0.05
    assert levels[0] == pytest.approx(0.0303964, rel=1e-5)
    assert levels[1] == pytest.approx(levels[0] / 4)
    assert all(first > second for first, second in pairwise(levels))
    assert spend(0.05, [False, True]) == spend(0.05, [True, True])


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_says_what_it_holds(rule: str) -> None:
    assert 0 < RULES[rule].next(0.05, []) < 0.05
    assert RULES[rule].name == rule
