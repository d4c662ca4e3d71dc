"""Makes the files in helm/: HELM itself runs two of its own small scenarios on canned models; nothing is fetched.

    pip install crfm-helm==0.5.16 && python make_helm.py

What would run a real model (torch and its kin, some gigabytes) is stood in for by empty modules. The scenarios ask
whether a number is even: in a word, and with options, the latter twice over (trials). Of what HELM writes, the files
that a test set is read from are kept.
"""

import shutil
import sys
import tempfile
import zlib
from importlib.machinery import ModuleSpec
from pathlib import Path
from unittest.mock import MagicMock


class Absent:
    """Finds an empty module for every library that is not needed here."""

    names = ("torch", "transformers", "datasets", "spacy", "torchvision", "accelerate")

    def find_spec(self, name, path=None, target=None):
        return ModuleSpec(name, self, is_package=True) if name.partition(".")[0] in self.names else None

    def create_module(self, spec):
        return MagicMock(__spec__=spec, __path__=[], __version__="0", Tensor=type("Tensor", (), {}))

    def exec_module(self, module):
        pass


sys.meta_path.insert(0, Absent())

from helm.benchmark import run
from helm.clients.simple_client import SimpleClient

HERE = Path(__file__).parent / "helm"
KEPT = ("run_spec.json", "scenario_state.json", "per_instance_stats.json", "stats.json")
SHARES = {"small": 45, "large": 80}


def invoke_model(self, raw_request):
    """Answer the last question of a prompt, rightly in a share of the cases."""
    prompt = raw_request["prompt"]
    number = int([word for word in prompt.split() if word.isdigit()][-1])
    knows = zlib.crc32(f"{raw_request['engine']} {number} {len(prompt)}".encode()) % 100 < SHARES[raw_request["engine"]]
    even = (number % 2 == 0) == knows
    if "A. " in prompt:
        return {"completions": ["A" if even else "B"]}
    return {"completions": ["Even" if even else "Odd"] * raw_request["num_completions"]}


def main() -> None:
    SimpleClient.invoke_model = invoke_model
    with tempfile.TemporaryDirectory() as folder:
        local = Path(folder, "prod_env")
        local.mkdir()
        Path(local, "model_metadata.yaml").write_text(
            "models:\n"
            + "".join(
                f"  - name: maker/{name}\n    display_name: {name}\n    description: canned\n"
                "    creator_organization_name: maker\n    access: open\n    release_date: 2026-01-01\n"
                "    tags: [TEXT_MODEL_TAG, FULL_FUNCTIONALITY_TEXT_MODEL_TAG]\n"
                for name in SHARES
            )
        )
        Path(local, "model_deployments.yaml").write_text(
            "model_deployments:\n"
            + "".join(
                f"  - name: maker/{name}\n    model_name: maker/{name}\n    tokenizer_name: simple/tokenizer1\n"
                "    max_sequence_length: 2048\n    client_spec:\n"
                '      class_name: "helm.clients.simple_client.SimpleClient"\n'
                for name in SHARES
            )
        )
        output = Path(folder, "output")
        entries = [
            f"{scenario}:model=maker/{name}{more}"
            for scenario, more in (("simple_classification", ""), ("simple_mcqa", ",num_train_trials=2"))
            for name in SHARES
        ]
        sys.argv = [
            "helm-run", "--run-entries", *entries, "--suite", "made", "--max-eval-instances", "6",
            "--output-path", str(output), "--local-path", str(local), "--num-threads", "1", "--disable-cache",
        ]  # fmt: skip
        run.main()
        for path in sorted(output.glob("runs/made/*/*")):
            if path.name in KEPT:
                place = HERE / "runs" / "made" / path.parent.name
                place.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, place)


if __name__ == "__main__":
    sys.exit(main())
