"""Makes the files in evalscope/: EvalScope itself asks its mock model questions made here; nothing is fetched.

    pip install evalscope==1.14.1 && python make_evalscope.py

Each question is asked once in the task `sums`, and twice in `twice`. Of what EvalScope writes, reviews and reports are
kept.
"""

import json
import shutil
import zlib
from pathlib import Path
from tempfile import TemporaryDirectory

from evalscope.api.benchmark import BenchmarkMeta, DefaultDataAdapter
from evalscope.api.dataset import Sample
from evalscope.api.model import ModelOutput
from evalscope.api.registry import register_benchmark
from evalscope.config import TaskConfig
from evalscope.run import run_task

HERE = Path(__file__).parent / "evalscope"


@register_benchmark(
    BenchmarkMeta(
        name="sums", pretty_name="Sums", description="Sums.", dataset_id="sums", metric_list=["acc"], few_shot_num=0, train_split=None,
        eval_split="test", prompt_template="{question}",
    )
)  # fmt: skip
class Sums(DefaultDataAdapter):
    """Sums of two numbers."""

    def record_to_sample(self, record):
        return Sample(input=record["query"], target=record["response"])


def answers(name: str, share: int, repeats: int):
    for i in range(12):
        for trial in range(repeats):
            right = zlib.crc32(f"{name} {i} {trial}".encode()) % 100 < share
            yield ModelOutput.from_content(name, str(12 * i + 11 + (0 if right else 1 + i)))


for task, repeats in (("once", 1), ("twice", 2)):
    for name, share in (("large", 80), ("small", 40)):
        with TemporaryDirectory() as folder:
            data, out = Path(folder, "data"), Path(folder, "out")
            data.mkdir()
            (data / "test.jsonl").write_text("".join(
                json.dumps({"query": f"{7 * i + 3} + {5 * i + 8} =", "response": str(12 * i + 11)}) + "\n"
                for i in range(12)
            ))  # fmt: skip
            run_task(TaskConfig(
                model="mockllm", model_id=name, eval_type="mock_llm", datasets=["sums"], repeats=repeats,
                dataset_args={"sums": {"local_path": str(data), "dataset_id": str(data)}},
                model_args={"custom_outputs": list(answers(name, share, repeats))}, eval_batch_size=1, work_dir=str(out),
                no_timestamp=True,
            ))  # fmt: skip
            for kind in ("reviews", "reports"):
                shutil.copytree(
                    out / kind, HERE / task / kind, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.html")
                )
