"""The study itself, as JSON: what `mtsig report` and the Paper page read again."""

from dataclasses import dataclass

from mtsig.report.exporters.base import Exported, Exporter, Written


@dataclass(frozen=True)
class StudyFile(Exporter):
    """study.json, and plan.toml where there was a plan."""

    label = "Study"
    about = "The study as JSON, complete enough to be made again to the digit."

    def __call__(self, document: Written) -> Exported:
        """Return the files."""
        study = document.study
        plan = {} if study.plan is None else {"plan.toml": study.plan.text.encode()}
        return Exported({"study.json": study.text().encode(), **plan})
