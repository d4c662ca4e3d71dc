"""Makes the files in lighteval/: lighteval's own tracker writes what canned models answered; nothing is fetched.

    pip install lighteval==0.13.0 && python make_lighteval.py

The metrics are counted by lighteval's own functions. No model is run, so what would run one (torch and its kin, some
gigabytes) is stood in for by empty modules.
"""

import sys
import zlib
from importlib.machinery import ModuleSpec
from pathlib import Path
from unittest.mock import MagicMock

for absent in (
    "torch",
    "torch.nn",
    "torch.nn.functional",
    "torch.utils",
    "torch.utils.data",
    "torch.distributed",
    "transformers",
    "transformers.modeling_utils",
    "transformers.models",
    "transformers.generation",
    "transformers.models.auto",
    "transformers.models.auto.tokenization_auto",
    "accelerate",
    "accelerate.utils",
    "transformers.utils",
    "transformers.generation.utils",
    "transformers.modeling_outputs",
    "transformers.tokenization_utils_base",
    "transformers.data",
    "torch.nn.utils",
    "torch.nn.utils.rnn",
    "transformers.generation.configuration_utils",
):
    sys.modules[absent] = MagicMock(
        __spec__=ModuleSpec(absent, None), __path__=[], __version__="0", Tensor=type("Tensor", (), {})
    )

from lighteval.logging.evaluation_tracker import EvaluationTracker
from lighteval.metrics.metrics import Metrics
from lighteval.models.abstract_model import ModelConfig
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.requests import Doc, SamplingMethod

for name in [name for name in sys.modules if name.partition(".")[0] in {"torch", "transformers", "accelerate"}]:
    del sys.modules[name]  # other libraries would ask them what is a tensor

HERE = Path(__file__).parent / "lighteval"
TASK = "sums|0"


def main() -> None:
    for name, share in (("maker/small", 50), ("maker/large", 80)):
        tracker = EvaluationTracker(output_dir=str(HERE), save_details=True)
        tracker.general_config_logger.log_args_info(1, None, "")
        tracker.general_config_logger.log_model_info(model_config=ModelConfig(model_name=name))
        for i in range(12):
            right = 12 * i + 11
            doc = Doc(
                query=f"{7 * i + 3} + {5 * i + 8} =", choices=[str(right)], gold_index=0, id=str(i), task_name=TASK,
                sampling_methods=[SamplingMethod.GENERATIVE],
            )  # fmt: skip
            knows = zlib.crc32(f"{name} {i}".encode()) % 100 < share
            response = ModelResponse(input=doc.query, text=[str(right if knows else right + 1)])
            counted = {}
            for metric in (Metrics.exact_match.value, Metrics.f1_score.value):
                counted |= metric.compute_sample(doc=doc, model_response=response)
            tracker.metrics_logger.log(TASK, counted)
            tracker.details_logger.log(TASK, doc, response, counted)
        tracker.details_logger.aggregate()
        tracker.save()


if __name__ == "__main__":
    sys.exit(main())
