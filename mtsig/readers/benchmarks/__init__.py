"""Benchmarks: the logs of evaluation programs go in, a test set for each task comes out; one program, one file."""

import re

from mtsig.readers.benchmarks.helm import HELM
from mtsig.readers.benchmarks.inspect_logs import INSPECT
from mtsig.readers.benchmarks.lighteval import LIGHTEVAL
from mtsig.readers.benchmarks.lm_eval import LM_EVAL
from mtsig.readers.reader import Reader

__all__ = ["BENCHMARKS", "LOGS"]

BENCHMARKS: dict[str, Reader] = {"lm-eval": LM_EVAL, "helm": HELM, "lighteval": LIGHTEVAL, "inspect": INSPECT}
"""Logs of programs that evaluate models: a test set for each task."""

LOGS = re.compile(
    r"(samples_.+\.jsonl|results_.+\.json|per_instance_stats\.json|scenario_state\.json|run_spec\.json"
    r"|details_.+\.parquet|.+\.eval|\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d.*_.+\.json)(\.gz)?"
)
"""What these programs call their files."""
