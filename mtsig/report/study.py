"""Study: a corpus and a request go in; results, data digests and recipe come out as one record that can be made again.

The record is the JSON of `mtsig compare`; its schema stands in study.schema.json beside this file. A study knows its
results from the record alone, so one that was just made and one that was read are the same.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from mtsig.corpus import Note, counted_names
from mtsig.inference import Intervals, Ranks, Settings, SignificanceTest
from mtsig.metrics import Metric, metric
from mtsig.metrics.tokenizing import AUTO, Tokenizing
from mtsig.notebook import Shown
from mtsig.report.fingerprints import Fingerprint, fingerprints_of_records
from mtsig.report.plan import AnalysisPlan, plan_of
from mtsig.report.recorded import MarginResult, RecordedFamily, comparison_of, intervals_of, ranks_of
from mtsig.report.request import Request, settings_of
from mtsig.resampling import Bootstrap

Status = Literal["planned", "exploratory"]

_PART = re.compile(r"Only (?P<part>.+: [\d,]+ of [\d,]+ segments)\.")
"""The note of a corpus of which a part was chosen (see `mtsig.slices`)."""


@dataclass(frozen=True)
class Finding:
    """What one metric says: scores with intervals, comparisons, ranks (of all pairs), and tests against margins.

    judges: whether a better score claims a better translation.
    """

    choice: str | None
    scored: Intervals
    compared: RecordedFamily
    places: Ranks | None
    margins: tuple[MarginResult, ...]
    judges: bool = True


@dataclass(frozen=True, eq=False)
class Study(Shown):
    """An analysis that can be written down, read, checked and made again; everything is read from `record`."""

    record: Mapping[str, Any]

    def __repr__(self) -> str:
        """Return what was compared in what, in one line."""
        metrics = [about["metric"] for about in self.record["metrics"]]
        segments = f"{self.record['data']['segments']:,} segments"
        found = f"{counted_names('system', self.systems)} in {counted_names('metric', metrics)} on {segments}"
        return f"<Study, {self.status}: {found}>"

    @cached_property
    def plan(self) -> AnalysisPlan | None:
        """The analysis plan that it was made under."""
        found = self.record["plan"]
        return None if found is None else plan_of(found["text"], "the study's plan")

    @property
    def status(self) -> Status:
        """planned: made as a plan said that was written before scoring; everything else is exploratory."""
        return "exploratory" if self.plan is None else "planned"

    @cached_property
    def request(self) -> Request:
        """What was asked.

        Raises:
            InvalidOption: a metric of the study has no name in METRICS.
        """
        return Request.of_record(self.record["request"])

    @cached_property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics as they were counted: what was left to the text stays what it was, on whatever machine.

        Raises:
            InvalidOption: a metric of the study has no name in METRICS.
        """
        return tuple(map(_counted, self.request.metrics, self.record["metrics"]))

    @property
    def level(self) -> float:
        """Coverage of the intervals."""
        return float(self.record["settings"]["level"])

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems."""
        return tuple(self.record["data"]["systems"])

    @cached_property
    def fingerprints(self) -> tuple[Fingerprint, ...]:
        """The digests of the data, per text and per line."""
        return fingerprints_of_records(self.record["texts"])

    @property
    def notes(self) -> tuple[Note, ...]:
        """What to know about the data and the results."""
        warnings = set(self.record["warnings"])
        return tuple(Note("warning" if text in warnings else "note", text) for text in self.record["notes"])

    @property
    def part(self) -> str | None:
        """Which part of the test set was taken, as the study's notes say it; None when it was all of it."""
        for text in self.record["notes"]:
            match = _PART.fullmatch(text)
            if match:
                return str(match["part"])
        return None

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """The results, one metric after the other."""
        asked = settings_of(self.record["request"]["settings"])
        return tuple(self._finding(about, asked) for about in self.record["metrics"])

    def _finding(self, about: Mapping[str, Any], asked: Settings) -> Finding:
        beside = about["by_segment"]
        scored = compared = None
        if beside is not None:
            segments = {**about, **beside}
            rows = self.record["segment_level"]
            test = replace(asked, unit="segment", test=beside.get("test", asked.test)).chosen_test("segment")
            scored = intervals_of(_mine(rows["systems"], about), segments, self.level)
            compared = self._family(_mine(rows["comparisons"], about), segments, test, None)
        return Finding(
            about["choice"],
            intervals_of(_mine(self.record["systems"], about), about, self.level, scored),
            self._family(
                _mine(self.record["comparisons"], about),
                about,
                # The record says which test was used, whatever "auto" stands for in this version.
                replace(asked, test=about.get("test", asked.test)).chosen_test(about["unit"]),
                compared,
            ),
            ranks_of(_mine(self.record["ranks"], about), about, self.level),
            tuple(MarginResult.of_row(row, about["decimals"]) for row in _mine(self.record["margins"], about)),
            about["judges"],
        )

    def _family(
        self,
        rows: Sequence[Mapping[str, Any]],
        about: Mapping[str, Any],
        test: SignificanceTest,
        by_segment: RecordedFamily | None,
    ) -> RecordedFamily:
        plan = test.plan
        beside = [None] * len(rows) if by_segment is None else list(by_segment)
        return RecordedFamily(
            test,
            about["metric"],
            about["signature"],
            self.level,
            about["complete"],
            Bootstrap(plan.n_draws, plan.seed, plan.unit),
            about["correction"],
            about["judged"],
            about["unit"],
            tuple(about["order"]),
            tuple(comparison_of(row, about, test, self.level, one) for row, one in zip(rows, beside, strict=True)),
            by_segment,
        )

    def text(self) -> str:
        """Return the record as JSON; the same study gives the same bytes."""
        return json.dumps(self.record, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _counted(asked: Metric, about: Mapping[str, Any]) -> Metric:
    """Return the metric as it was counted."""
    written = about.get("counted_as")
    counted = asked if written is None else metric(written)
    if not isinstance(asked, Tokenizing) or asked.tokenize != AUTO or not isinstance(counted, Tokenizing):
        return counted
    # Before texts chose tokenizers, studies said nothing of it: what was not chosen was sacreBLEU's default.
    return asked.as_sacrebleu if written is None else replace(counted, by_text=counted.tokenize)


def _mine(rows: Sequence[Mapping[str, Any]], about: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the rows of one metric."""
    own = (about["metric"], about["signature"])
    return [row for row in rows if (row["metric"], row["signature"]) == own]
