"""Makes the files in inspect/: Inspect itself asks its mock model; nothing is fetched.

    pip install inspect-ai==0.3.285 && python make_inspect.py

One task has a score of letters (C, I) and one of numbers; the second was answered twice (two epochs); in the third an
answer failed with an error. The first is written in both of Inspect's forms.
"""

import sys
import zlib
from pathlib import Path

import tiktoken
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.scorer import Score, match, mean, scorer
from inspect_ai.solver import generate, solver


class Words:
    """What counts tokens, without the vocabulary that tiktoken would fetch."""

    def encode(self, text, **_):
        return text.split()


tiktoken.get_encoding = tiktoken.encoding_for_model = lambda name: Words()

HERE = Path(__file__).parent / "inspect"
ITEMS = [Sample(id=f"sum-{i}", input=f"{7 * i + 3} + {5 * i + 8} =", target=str(12 * i + 11)) for i in range(8)]


@scorer(metrics=[mean()])
def closeness():
    async def score(state, target):
        answer = state.output.completion
        return Score(value=1 / (1 + abs(int(answer) - int(target.text))) if answer.isdigit() else 0.0, answer=answer)

    return score


@solver
def failing():
    async def solve(state, generate):
        if state.sample_id == "sum-5":
            raise ValueError("the model did not answer")
        return await generate(state)

    return solve


def model(name: str, share: int, epochs: int, failing_at: str | None):
    def answer(i: int, epoch: int) -> str:
        right = zlib.crc32(f"{name} {i} {epoch}".encode()) % 100 < share
        return str(12 * i + 11 + (0 if right else 1 + i))

    wanted = [one for one in ITEMS if one.id != failing_at]
    outputs = [
        ModelOutput.from_content(f"mockllm/{name}", answer(int(str(one.id)[4:]), epoch))
        for epoch in range(epochs)
        for one in wanted
    ]
    return get_model(f"mockllm/{name}", custom_outputs=outputs, memoize=False)


def main() -> None:
    for form in ("json", "eval"):
        for name, share in (("small", 50), ("large", 80)):
            for task, epochs, scorers, failing_at in (
                ("sums", 1, [match(), closeness()], None),
                ("sums-twice", 2, [match()], None),
                ("sums-broken", 1, [match()], "sum-5" if name == "small" else None),
            )[: 1 if form == "json" else 3]:
                asked = model(name, share, epochs, failing_at)
                eval(
                    Task(ITEMS, solver=failing() if failing_at else generate(), scorer=scorers, name=task),
                    model=asked, epochs=epochs, log_format=form, log_dir=str(HERE / form / name), display="none",
                    max_samples=1, max_connections=1, fail_on_error=False, log_realtime=False,
                )  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
