"""Makes the files in lm-eval/: lm-evaluation-harness itself asks two canned models; nothing is fetched.

    pip install lm-eval==0.4.13 && python make_lm_eval.py

The tasks are of the three kinds that its samples know: options weighed by their likelihood, answers written down under
two filters, and translations, whose BLEU has no value for one sample.
"""

import json
import sys
import tempfile
import zlib
from pathlib import Path

import lm_eval
from lm_eval.api.model import LM
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager

HERE = Path(__file__).parent / "lm-eval"
ITEMS = 16

CAPITALS = """\
Norway Oslo, Peru Lima, Kenya Nairobi, Japan Tokyo, Cuba Havana, Ghana Accra, Nepal Kathmandu, Latvia Riga, Chile Santiago,
Jordan Amman, Fiji Suva, Malta Valletta, Angola Luanda, Qatar Doha, Bhutan Thimphu, Iceland Reykjavik"""

SENTENCES = """\
El gato duerme.|The cat sleeps.
La casa es grande.|The house is big.
Ella lee un libro.|She reads a book.
El tren llega tarde.|The train arrives late.
Los niños juegan fuera.|The children play outside.
Mañana lloverá mucho.|It will rain a lot tomorrow.
Compramos pan y queso.|We buy bread and cheese.
El perro come carne.|The dog eats meat.
Mi hermano vive lejos.|My brother lives far away.
La puerta está cerrada.|The door is closed.
Hace frío en invierno.|It is cold in winter.
Quiero aprender inglés.|I want to learn English.
El sol brilla hoy.|The sun shines today.
Ellos cantan muy bien.|They sing very well.
La sopa está caliente.|The soup is hot.
No sé qué decir.|I do not know what to say."""


def knows(model: str, question: str, share: int) -> bool:
    """Return whether a model knows the answer: the same in every run."""
    return zlib.crc32(f"{model} {question}".encode()) % 100 < share


class Canned(LM):
    """A model that knows a share of the answers."""

    def __init__(self, name: str, share: int, answers: dict[str, str]) -> None:
        super().__init__()
        self.name, self.share, self.answers = name, share, answers

    def loglikelihood(self, requests, disable_tqdm=False):
        found = []
        for request in requests:
            context, option = request.args
            right = knows(self.name, context, self.share) and self.answers[context] == option.strip()
            found.append((-0.5 if right else -1 - zlib.crc32((self.name + context + option).encode()) % 50 / 10, right))
        return found

    def loglikelihood_rolling(self, requests, disable_tqdm=False):
        return [-2.5 * len(request.args[0]) for request in requests]

    def generate_until(self, requests, disable_tqdm=False):
        found = []
        for request in requests:
            answer = self.answers[request.args[0]]
            if knows(self.name, request.args[0], self.share):
                found.append(answer)
            elif answer.isdigit():
                found.append(f"about {answer}")
            else:
                found.append(" ".join(answer.split()[1:]))
        return found


def main() -> None:
    pairs = [pair.rsplit(" ", 1) for pair in CAPITALS.replace("\n", " ").split(", ")]
    capitals = [capital for _, capital in pairs]
    rows = {
        "capitals": [
            {
                "question": f"The capital of {country.strip()} is",
                "choices": [capital, *(capitals[(i + 3 * k) % ITEMS] for k in (1, 2, 3))],
                "gold": 0,
            }
            for i, (country, capital) in enumerate(pairs)
        ],
        "sums": [{"question": f"{7 * i + 3} + {5 * i + 8} =", "answer": str(12 * i + 11)} for i in range(ITEMS)],
        "es_en": [dict(zip(("es", "en"), line.split("|"))) for line in SENTENCES.split("\n")],
    }
    answers = {row["question"]: row["choices"][0] for row in rows["capitals"]}
    answers |= {row["question"]: row["answer"] for row in rows["sums"]}
    answers |= {row["es"]: row["en"] for row in rows["es_en"]}
    with tempfile.TemporaryDirectory() as folder:
        for name, own in rows.items():
            Path(folder, f"{name}.jsonl").write_text("\n".join(map(json.dumps, own)) + "\n")
        shared = {"dataset_path": "json", "test_split": "test", "metadata": {"version": 1}}
        until = {"until": ["\n"], "do_sample": False}
        only = {"function": "take_first"}
        tasks = [
            {
                **shared, "task": "capitals", "dataset_kwargs": {"data_files": {"test": f"{folder}/capitals.jsonl"}},
                "output_type": "multiple_choice", "doc_to_text": "{{question}}", "doc_to_choice": "{{choices}}",
                "doc_to_target": "{{gold}}",
                "metric_list": [{"metric": one, "aggregation": "mean", "higher_is_better": True} for one in ("acc", "acc_norm")],
            },
            {
                **shared, "task": "sums", "dataset_kwargs": {"data_files": {"test": f"{folder}/sums.jsonl"}},
                "output_type": "generate_until", "doc_to_text": "{{question}}", "doc_to_target": "{{answer}}",
                "generation_kwargs": until,
                "metric_list": [{"metric": "exact_match", "aggregation": "mean", "higher_is_better": True}],
                "filter_list": [
                    {"name": "strict-match", "filter": [{"function": "regex", "regex_pattern": r"^(\d+)$"}, only]},
                    {"name": "flexible-extract", "filter": [{"function": "regex", "regex_pattern": r"(\d+)"}, only]},
                ],
            },
            {
                **shared, "task": "es_en", "dataset_kwargs": {"data_files": {"test": f"{folder}/es_en.jsonl"}},
                "output_type": "generate_until", "doc_to_text": "{{es}}", "doc_to_target": "{{en}}",
                "generation_kwargs": until,
                "metric_list": [{"metric": one} for one in ("bleu", "chrf", "ter")],
            },
        ]  # fmt: skip
        for model, share in (("maker/small", 35), ("maker/large", 70)):
            tracker = EvaluationTracker(output_path=str(HERE))
            found = lm_eval.simple_evaluate(
                Canned(model, share, answers),
                tasks=tasks,
                num_fewshot=0,
                log_samples=True,
                bootstrap_iters=0,
                task_manager=TaskManager(include_defaults=False),
                evaluation_tracker=tracker,
            )
            # A model that is no string gets a name by chance; this is the name that `--model_args pretrained=…` gives.
            tracker.general_config_tracker.log_experiment_args(
                model_source="canned",
                model_args=f"pretrained={model}",
                system_instruction="",
                chat_template="",
                fewshot_as_multiturn=False,
            )
            samples = found.pop("samples")
            tracker.save_results_aggregated(results=found, samples=samples)
            for task, own in samples.items():
                tracker.save_results_samples(task_name=task, samples=own)


if __name__ == "__main__":
    sys.exit(main())
