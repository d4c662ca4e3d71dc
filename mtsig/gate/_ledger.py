"""Ledger: a file of the interim tests on a test set, and of the error rate that they spent.

It has JSON lines. Each has its own digest and that of the line before, so that a changed, removed or inserted line is
detected. Lines removed at the end are detected only if the last digest is kept elsewhere.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from errno import ENOENT, ENOSPC
from os import SEEK_END, fstat, fsync, strerror
from os.path import samestat
from pathlib import Path
from typing import IO, Annotated, Any, ClassVar, Literal

import msgspec
import numpy as np
import portalocker
import scipy

from mtsig._memory import remembered
from mtsig._probability import level_text
from mtsig._records import MetricRecord, Number, Record, about
from mtsig._results import Result
from mtsig.corpus import Note
from mtsig.errors import LONGEST, InvalidOption, ReadError, said_by
from mtsig.gate._decision import GateCheck, Outcome
from mtsig.readers._files import bytes_at, json_of, unique

FORM: Literal["mtsig-gate/1"] = "mtsig-gate/1"
"""What every line of a ledger says that it is."""

BEGIN = "sha256:" + hashlib.sha256(FORM.encode()).hexdigest()
"""What the first line has as the digest of the line before."""

WAIT = 600.0
"""Seconds to wait for another run that looks through the same ledger."""


@dataclass(frozen=True)
class LookedAt(MetricRecord):
    """Result of an interim test by one metric."""

    p_value: Annotated[Number, about("Unadjusted two-sided p-value of the test for a difference, or null.")]
    margin: Annotated[Number, about("The margin, in points of the metric; null if there is none.")]
    outcome: Annotated[Outcome, about("Outcome by this metric: pass, regression or inconclusive.")]

    @classmethod
    def of(cls, check: GateCheck) -> "LookedAt":
        return cls(
            metric=check.metric,
            signature=check.signature,
            p_value=check.p_value,
            margin=check.margin,
            outcome=check.outcome,
        )


@dataclass(frozen=True)
class Look(Record):
    """One interim test: a line of the ledger."""

    form: Annotated[Literal["mtsig-gate/1"], about("What this is.")]
    time: Annotated[str, about("Time at which this line was written, in UTC.")]
    data: Annotated[str, about("Digest of the test sets and of both systems' outputs; it does not depend on names.")]
    tests: Annotated[str, about("Digest of the test sets alone (sources, documents, references).")]
    question: Annotated[str, about("Digest of metrics, margins, test, unit, number of resamples, seed and weights.")]
    baseline: Annotated[str, about("Name of the baseline.")]
    candidate: Annotated[str, about("Name of the candidate.")]
    metrics: Annotated[tuple[LookedAt, ...], about("Result for each metric.")]
    rule: Annotated[str, about("Rule that divides the total error rate among the looks.")]
    alpha: Annotated[float, about("Error rate of all looks together.")]
    spent: Annotated[float, about("Error rate that was spent on this look.")]
    outcome: Annotated[Outcome, about("Overall outcome: the worst outcome of any metric.")]
    mtsig: Annotated[str, about("Version of the program.")]
    previous: Annotated[str, about("Digest of the previous line.")]
    digest: Annotated[str, about("SHA-256 of the line with this field empty.")] = ""

    def sealed(self) -> "Look":
        bare = msgspec.json.encode(replace(self, digest=""))
        return replace(self, digest=f"sha256:{hashlib.sha256(bare).hexdigest()}")


@dataclass(frozen=True)
class Ledger(Result):
    """The interim tests in a ledger, in order."""

    _uses: ClassVar[Mapping[str, str]] = {"load": "mtsig.gate.read_ledger(path)"}

    path: str
    looks: tuple[Look, ...]

    @property
    def head(self) -> str:
        """The digest of the last line, to detect later whether lines were removed."""
        return self.looks[-1].digest if self.looks else BEGIN

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per interim test and metric."""
        return [
            {"look": number, **{k: v for k, v in look.row().items() if k != "metrics"}, **metric.row()}
            for number, look in enumerate(self.looks, start=1)
            for metric in look.metrics
        ]


def read_ledger(path: str | Path) -> Ledger:
    """Return the interim tests in a ledger.

    Raises
    ------
    ReadError
        The file cannot be read, is not a ledger, or was changed; the message names file and line.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import mtsig
    >>> from mtsig.gate import judge, read_ledger
    >>> path = Path(tempfile.mkdtemp()) / "looks.jsonl"
    >>> result = judge(mtsig.read_sample(), "via-catalan", "direct", ["chrf"], 1.0, ledger=path)
    >>> len(read_ledger(path).looks)
    1
    """
    return _ledger(bytes_at(path, "Ledgers are written by `mtsig gate --ledger FILE`."), str(path))


def _ledger(content: bytes, path: str) -> Ledger:
    looks: list[Look] = []
    previous = BEGIN
    for number, line in enumerate(content.splitlines(keepends=True), start=1):
        where = f"{path}, line {number}"
        look = _look(line, path, number)
        # As it was written, so that nothing stands in it that no digest is over; but Git may end lines as Windows does.
        if look.digest != look.sealed().digest or line.rstrip(b"\r\n") != msgspec.json.encode(look):
            raise ReadError(f"{where}: the line was changed after it was written; restore the ledger.")
        if look.previous != previous:
            raise ReadError(f"{where}: the previous line was changed, removed or added later; restore the ledger.")
        if looks and (look.rule, look.alpha) != (looks[0].rule, looks[0].alpha):
            raise ReadError(f"{where}: the rule or the error rate differs from line 1; restore the ledger.")
        if look.rule not in RULES or abs(look.spent - _next(look, looks)) > 1e-9 * look.spent:
            raise ReadError(f"{where}: the error rate is not what the rule gives for this look; restore the ledger.")
        looks.append(look)
        previous = look.digest
    return Ledger(path, tuple(looks))


def _next(look: Look, before: Sequence[Look]) -> float:
    return RULES[look.rule].next(look.alpha, [item.outcome == "regression" for item in before])


def _look(line: bytes, path: str, number: int) -> Look:
    where = f"{path}, line {number}"
    if not line.endswith(b"\n"):
        raise ReadError(f"{where}: the line is incomplete, probably because writing it was interrupted; delete it.")
    try:
        return msgspec.convert(json_of(line, path, number, object_pairs_hook=unique), Look)
    except (msgspec.ValidationError, ReadError) as error:
        why = said_by(error, "its values contradict each other", LONGEST).removeprefix(f"{where}: ")
        raise ReadError(f"{where}: this is not a line of a ledger that mtsig gate wrote ({why}).") from None


@dataclass(frozen=True)
class Asked:
    """What identifies a look: digests of the data, of the test sets alone, and of the question; the systems' names."""

    data: str
    tests: str
    question: str
    baseline: str
    candidate: str


class OpenLedger:
    """A ledger held open for one look, so that no other run looks meanwhile.

    number: of the look that is taken, from 1. spent: its error rate. recorded: the same look, where it was taken
    before.
    """

    def __init__(self, ledger: Ledger, file: IO[bytes], asked: Asked, rule: str | None, alpha: float) -> None:
        self._ledger, self._file, self._asked = ledger, file, asked
        looks = ledger.looks
        self.rule, self.alpha = _agreed(ledger, rule, alpha)
        same = [i for i, look in enumerate(looks) if (look.data, look.question) == (asked.data, asked.question)]
        self.recorded = looks[same[0]] if same else None
        self.number = same[0] + 1 if same else len(looks) + 1
        if self.recorded is None:
            _refuse_more_data(ledger, asked)
            self.spent = RULES[self.rule].next(self.alpha, [look.outcome == "regression" for look in looks])
        else:
            self.spent = self.recorded.spent

    def look(self, checks: Sequence[GateCheck], outcome: Outcome, version: str) -> Look:
        """Return the look: the recorded one, or a new one, which is not written yet."""
        if self.recorded is not None:
            return self.recorded
        return Look(
            FORM,
            datetime.now(UTC).isoformat(timespec="seconds"),
            **vars(self._asked),
            metrics=tuple(map(LookedAt.of, checks)),
            rule=self.rule,
            alpha=self.alpha,
            spent=self.spent,
            outcome=outcome,
            mtsig=version,
            previous=self._ledger.head,
        ).sealed()

    def write(self, look: Look) -> None:
        """Write a new look to the disk, whole or not at all; a recorded one stands there."""
        if look is self.recorded:
            return
        line, size = msgspec.json.encode(look) + b"\n", self._file.seek(0, SEEK_END)
        try:
            if not samestat(fstat(self._file.fileno()), Path(self._ledger.path).stat()):
                raise OSError(ENOENT, "another file was put in its place meanwhile; run the gate again")
            # The file has no buffer: in one call a line is not torn by a signal.
            if self._file.write(line) != len(line):
                raise OSError(ENOSPC, strerror(ENOSPC))
            fsync(self._file.fileno())
        except BaseException as error:
            self._file.truncate(size)
            if not isinstance(error, OSError):
                raise
            raise ReadError(f"{self._ledger.path}: cannot be written ({error.strerror or error}).") from None

    @property
    def notes(self) -> tuple[Note, ...]:
        if self.recorded is not None:
            text = (
                f"Look {self.number} ({self.recorded.time}) had the same question and data. Its error rate is used "
                "again, and nothing more is spent."
            )
            return (Note("note", text),)
        return () if self._ledger.looks else (Note("note", f"{self._ledger.path}: new ledger; this is look 1."),)


def _agreed(ledger: Ledger, rule: str | None, alpha: float) -> tuple[str, float]:
    """Return rule and error rate of the ledger, or those asked for where it is empty."""
    if not ledger.looks:
        return rule or "spend", alpha
    first = ledger.looks[0]
    if rule not in (None, first.rule):
        raise InvalidOption(
            f"{ledger.path} uses the rule {first.rule}, which cannot change; found {rule}. Begin another ledger."
        )
    if abs(alpha - first.alpha) > 1e-12:
        raise InvalidOption(
            f"{ledger.path} was begun at level {level_text(1 - first.alpha)}, which cannot change; found "
            f"{level_text(1 - alpha)}. Begin another ledger."
        )
    return first.rule, first.alpha


def _refuse_more_data(ledger: Ledger, asked: Asked) -> None:
    """Raise InvalidOption where the candidate was looked at on other test data."""
    for number, look in enumerate(ledger.looks, start=1):
        if look.candidate == asked.candidate and look.tests != asked.tests:
            raise InvalidOption(
                f"{ledger.path}, line {number}: {asked.candidate} was tested on other test data. Testing one candidate "
                "again with more data is a sequential test of one hypothesis, which neither rule covers. If it is "
                "another system, give it a different name, with its version or date."
            )


@contextmanager
def open_ledger(path: str | Path, asked: Asked, rule: str | None, alpha: float) -> Iterator[OpenLedger]:
    """Hold the ledger for one look; another run waits until the context ends."""
    if rule not in (None, *RULES):
        raise InvalidOption(f"The rule must be {' or '.join(RULES)}; found {rule!r}.")
    if Path(path).exists() and not Path(path).is_file():
        raise ReadError(f"{path}: a ledger must be a file.")
    lock = portalocker.Lock(path, "a+b", timeout=WAIT, buffering=0)
    try:
        file = lock.acquire()
    except portalocker.AlreadyLocked:
        raise ReadError(f"{path}: another run has held the ledger for {WAIT:.0f} seconds.") from None
    except portalocker.LockException as error:
        raise ReadError(
            f"{path}: cannot be locked here, so two runs could use it at the same time ({error})."
        ) from None
    except OSError as error:
        raise ReadError(f"{path}: cannot be opened ({error.strerror or error}).") from None
    try:
        file.seek(0)
        yield OpenLedger(_ledger(file.read(), str(path)), file, asked, rule, alpha)
    finally:
        lock.release()


@dataclass(frozen=True)
class SpendingRule:
    """How an error rate is divided over interim tests.

    holds: the error rate that is controlled, and for which tests. cites: the source of the rule.
    next: a function of alpha and of the earlier results (regression or not) that returns the next test's error rate.
    """

    name: str
    holds: str
    cites: str
    next: Callable[[float, Sequence[bool]], float]


def spend(alpha: float, regressions: Sequence[bool]) -> float:
    """Return α·6/(π²j²) for interim test j; the sum over all interim tests is α, even if they are dependent."""
    return float(alpha * 6 / (np.pi * (len(regressions) + 1)) ** 2)


def lord(alpha: float, regressions: Sequence[bool]) -> float:
    """Return LORD++'s level of the next look (Ramdas et al. 2017), with W₀ = α/2.

    α_t = W₀ γ_t + (α − W₀) γ_{t−τ₁} + α Σ_{k≥2} γ_{t−τ_k}, τ_k the look of the k-th regression.
    """
    number, wealth = len(regressions) + 1, alpha / 2
    since = [gamma(number - 1 - place) for place, regression in enumerate(regressions) if regression]
    return wealth * gamma(number) + (alpha - wealth) * sum(since[:1]) + alpha * sum(since[1:])


@remembered()
def gamma(j: int) -> float:
    """Return γ_j ∝ log(max(j, 2)) / (j exp(√log j)), which sum to 1 over all j from 1."""
    return float(_shape(np.array([j], dtype=np.float64))[0] / _whole())


def _shape(j: np.ndarray[tuple[int], np.dtype[np.float64]]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.log(np.maximum(j, 2)) / (j * np.exp(np.sqrt(np.log(j))))


@remembered()
def _whole(terms: int = 10_000) -> float:
    """Return Σ_j of the shape: the first terms, and what follows by Euler and Maclaurin.

    ∫ log x / (x exp(√log x)) dx from N on is 2 Γ(4, √log N), by u = √log x. After a million terms nearly half of the
    sum would still be missing.
    """
    tail = 12 * scipy.special.gammaincc(4, np.sqrt(np.log(terms)))
    return float(_shape(np.arange(1.0, terms + 1)).sum() + tail - _shape(np.array([float(terms)]))[0] / 2)


RULES: Mapping[str, SpendingRule] = {
    rule.name: rule
    for rule in (
        SpendingRule(
            "spend",
            "over all looks, dependent or not, the chance of any false regression",
            "Bonferroni over α·6/(π²j²)",
            spend,
        ),
        SpendingRule(
            "lord",
            "for looks on new data, the expected share of false regressions among all regressions",
            "LORD++, Ramdas et al. 2017",
            lord,
        ),
    )
}
