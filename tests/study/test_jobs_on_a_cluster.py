"""One job per set and metric on Dask's distributed scheduler: the digits of one process, and no word at the end."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from made import ROOT

pytestmark = pytest.mark.skipif(find_spec("distributed") is None, reason="distributed is not installed")

PROGRAM = """
import os, sys
os.environ["MTSIG_CACHE"] = "off"
sys.path.insert(0, "tests")
from clusters import Patient
from distributed import Client, LocalCluster
from made import made_corpus
from mtsig import measure
from mtsig.collection import Sets
from mtsig.collection import measure as measure_sets

if __name__ == "__main__":
    sets = Sets.of({f"set{seed}": made_corpus(seed=seed) for seed in range(3)})
    large = made_corpus(n=3000)
    names = ("chrf", "bleu")
    alone = [measure_sets(sets, name) for name in names]
    options = dict(n_workers=2, threads_per_worker=1, dashboard_address=None, worker_class=Patient)
    with LocalCluster(**options) as cluster, Client(cluster) as client, client.get_executor() as executor:
        found = [measure_sets(sets, name, executor=executor) for name in names]
        blocks = measure(large, "bleu", executor)
        assert len(client.scheduler_info()["workers"]) == 2
    for one, other in zip(alone, found):
        for name in sets:
            assert one.of[name].values.tolist() == other.of[name].values.tolist()
            assert one.of[name].signature == other.of[name].signature
    assert blocks.values.tolist() == measure(large, "bleu").values.tolist()
    print("the same")
"""


def test_two_workers_of_dask_give_the_same_digits_and_end_without_a_word(tmp_path: Path) -> None:
    # In a process of its own: what is said at its end would else be lost among what pytest catches.
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    command = [sys.executable, "-W", "error", str(program)]
    found = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    assert (found.stdout, found.stderr) == ("the same\n", "")
