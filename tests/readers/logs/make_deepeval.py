"""Makes the files in deepeval/: DeepEval itself scores made answers; no model is asked, and nothing is sent.

    pip install deepeval==4.3.1 && python make_deepeval.py

One metric is DeepEval's own; of the other, made here, a lower score is better.
"""

import os
import zlib
from pathlib import Path

os.environ |= {"DEEPEVAL_TELEMETRY_OPT_OUT": "YES", "DEEPEVAL_DISABLE_DOTENV": "1"}

from deepeval import evaluate
from deepeval.evaluate import AsyncConfig, CacheConfig, DisplayConfig
from deepeval.metrics import BaseMetric, ExactMatchMetric
from deepeval.test_case import LLMTestCase

HERE = Path(__file__).parent / "deepeval"


class Distance(BaseMetric):
    """How far a number is from the right one: what is above the threshold fails."""

    threshold, async_mode, evaluation_model, strict_mode = 1.0, False, None, False
    include_reason, error, verbose_mode = False, None, False

    def measure(self, test_case, *_, **__):
        self.score = float(abs(int(test_case.actual_output) - int(test_case.expected_output)))
        self.success = self.score <= self.threshold
        return self.score

    async def a_measure(self, test_case, *_, **__):
        return self.measure(test_case)

    def is_successful(self):
        return self.success

    @property
    def __name__(self):
        return "Distance"


for name, share in (("large", 80), ("small", 40)):
    cases = []
    for i in range(12):
        right = zlib.crc32(f"{name} {i}".encode()) % 100 < share
        asked = f"{7 * i + 3} + {5 * i + 8} ="
        said = str(12 * i + 11 + (0 if right else 1 + i))
        cases.append(LLMTestCase(input=asked, actual_output=said, expected_output=str(12 * i + 11)))
    evaluate(
        cases, [ExactMatchMetric(), Distance()], hyperparameters={"model": f"maker/{name}"},
        async_config=AsyncConfig(run_async=False), cache_config=CacheConfig(write_cache=False),
        display_config=DisplayConfig(show_indicator=False, print_results=False, results_folder=str(HERE / name)),
    )  # fmt: skip
