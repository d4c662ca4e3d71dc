"""Samples: files, lists and logs with several outputs per segment are read as such, and runs only where it is said."""

import json
from pathlib import Path

import numpy as np
import pages
import pytest
from kept import Kept, lacking
from made import ROOT, flat
from sacrebleu.metrics import CHRF

import mtsig
from mtsig._cautions import Seen, findings
from mtsig.cli import main
from mtsig.corpus import Corpus
from mtsig.errors import InvalidOption, MtsigError, NotApplicable, UnknownName
from mtsig.inference._design import sampling_part
from mtsig.inference._verdict import Comparison
from mtsig.metrics import Statistics
from mtsig.readers import File
from mtsig.readers._read import parts_of
from mtsig.study._counts import read_counts, write_counts

WORDS = ["the", "cat", "sat", "on", "a", "mat", "while", "old", "dogs", "ran", "over", "green", "hills", "slowly"]
REFERENCE = [" ".join(np.random.default_rng(i).choice(WORDS, 9)) for i in range(40)]


def drawn(system: int, sample: int) -> list[str]:
    """Return a made sample of a system: some words of the reference are others."""
    rng = np.random.default_rng([system, sample])
    return [
        " ".join(word if rng.random() > 0.2 + 0.1 * system else str(rng.choice(WORDS)) for word in line.split())
        for line in REFERENCE
    ]


SAMPLES = {name: [drawn(system, sample) for sample in range(3)] for system, name in enumerate(("ours", "base"))}


def written(folder: Path, called: str) -> Path:
    """Write the outputs one by one, called so, with their reference."""
    folder.mkdir()
    for name, several in SAMPLES.items():
        for number, lines in enumerate(several, 1):
            (folder / f"{name}.{called}{number}.txt").write_text("\n".join(lines) + "\n")
    (folder / "ref.txt").write_text("\n".join(REFERENCE) + "\n")
    return folder


def compared(corpus: Corpus, metric: str = "bleu") -> tuple[Statistics, Comparison]:
    """Return the statistics and the comparison of ours with base."""
    family = mtsig.Settings(n_resamples=200, unit="segment").family(mtsig.measure(corpus, metric), [("ours", "base")])
    return family.statistics, family[0]


def test_folders_lists_and_plain_lines_hold_the_same(tmp_path: Path, kept: Kept) -> None:
    folder = mtsig.read(written(tmp_path / "folder", "sample"))
    rows = [
        {"ref": line, **{name: [several[i] for several in lists] for name, lists in SAMPLES.items()}}
        for i, line in enumerate(REFERENCE)
    ]
    (tmp_path / "lists.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    lists = mtsig.read(tmp_path / "lists.jsonl")
    outputs = {f"{name}.sample{i}": lines for name, several in SAMPLES.items() for i, lines in enumerate(several, 1)}
    plain = Corpus.of(outputs, {"ref": REFERENCE})
    pooled = plain.pooled({name: [f"{name}.sample{i}" for i in (1, 2, 3)] for name in SAMPLES})
    assert not lacking("".join(note.text for note in lists.notes), "ours and base")
    kept("readers", *(note.text for note in lists.notes))
    # BLEU of mean counts, by counts of every sample as an output of its own.
    counts = mtsig.measure(plain, "bleu")
    mean = counts.sums.reshape(counts.sums.shape[0], 2, 3).mean(axis=2)
    for corpus in (folder, lists, pooled):
        statistics = mtsig.measure(corpus, "bleu")
        scores = dict(zip(statistics.systems, statistics.scores, strict=True))
        assert (scores["ours"], scores["base"]) == pytest.approx(tuple(counts.metric.score(mean)))
        assert statistics.signature.endswith("|samples:3")
    with pytest.raises(NotApplicable, match="Samples are not runs"):
        mtsig.compare_runs(mtsig.measure(folder, "bleu"), "ours", "base")


DRAWN = [{name: [own[i] for own in several] for name, several in SAMPLES.items()} for i in range(len(REFERENCE))]
ROWS = [{"ref": line, **own} for line, own in zip(REFERENCE, DRAWN, strict=True)]


@pytest.mark.parametrize(
    "held",
    [
        [{"ref": row["ref"], "outputs": own} for row, own in zip(ROWS, DRAWN, strict=True)],
        [
            {"ref": row["ref"], "hyps": {name: [{"text": text} for text in row[name]] for name in SAMPLES}}
            for row in ROWS
        ],
        {name: [row[name] for row in ROWS] for name in ("ref", *SAMPLES)},
        {"made": "by us", "segments": ROWS},
        [
            {"id": i, "ref": row["ref"], "system": name, "outputs": row[name]}
            for i, row in enumerate(ROWS)
            for name in SAMPLES
        ],
        {name: [{"ref": row["ref"], "mt": row[name]} for row in ROWS] for name in SAMPLES},
    ],
    ids=["nested", "nested objects", "columns", "one object", "by output", "by system"],
)
def test_one_json_of_lists_holds_the_same(held: object, tmp_path: Path) -> None:
    (tmp_path / "all.json").write_text(json.dumps(held, indent=1))
    corpus = mtsig.read(tmp_path / "all.json")
    assert {name: [list(lines) for lines in own.values()] for name, own in corpus.samples.items()} == SAMPLES
    assert list(corpus.references) == ["ref"]


def test_ratings_beside_samples_are_of_each_or_of_one_and_else_refused(tmp_path: Path) -> None:
    folder, scores = written(tmp_path / "folder", "sample"), np.random.default_rng(2).normal(70, 9, (2, 3, 40)).round(1)
    named = [(name, k, i, scores[s, k, i]) for s, name in enumerate(SAMPLES) for k in range(3) for i in range(40)]
    head = "system\tsegment\tsample\tscore\n"

    def rated(text: str) -> Statistics:
        (tmp_path / "esa.tsv").write_text(text)
        return mtsig.measure(mtsig.read(folder, ratings=[tmp_path / "esa.tsv"]), "rating:esa")

    by_column = rated(head + "".join(f"{name}\t{i + 1}\t{k + 1}\t{score}\n" for name, k, i, score in named))
    by_name = rated("system\tsegment\tscore\n" + "".join(
        f"{name}.sample{k + 1}\t{i + 1}\t{score}\n" for name, k, i, score in named
    ))  # fmt: skip
    for statistics in (by_column, by_name):
        found = dict(zip(statistics.systems, statistics.scores, strict=True))
        assert found == pytest.approx(dict(zip(SAMPLES, scores.mean(axis=(1, 2)), strict=True)))
        assert statistics.samples is not None
        assert {int(count) for own in statistics.samples.counts.values() for count in own} == {3}
    alone = rated("system\tsegment\tscore\n" + "".join(
        f"{name}\t{i + 1}\t{score}\n" for name, k, i, score in named if k == 0
    ))  # fmt: skip
    assert sorted(alone.scores) == pytest.approx(sorted(scores[:, 0].mean(axis=1)))
    assert any("unknown of which" in note.text
               for note in mtsig.read(folder, ratings=[tmp_path / "esa.tsv"]).notes)  # fmt: skip
    for text, why in (
        ("system\tsegment\tscore\nours\t1\t5\nours\t1\t6\n", "several outputs in a column sample"),
        ("system\tsegment\tscore\nours.sample9\t1\t5\nours.sample9\t2\t6\n", "none of which is a system here"),
    ):
        with pytest.raises(MtsigError, match=why):
            rated(text)


def test_counts_keep_every_sample(tmp_path: Path) -> None:
    corpus = mtsig.read(written(tmp_path / "folder", "sample"))
    counted = [mtsig.measure(corpus, name) for name in ("bleu", "sentchrf")]
    write_counts(tmp_path / "counts.parquet", {"set": (corpus, counted)})
    kept = read_counts(tmp_path / "counts.parquet")["set"]
    assert tuple(kept.corpus.systems) == tuple(corpus.systems)
    for before, after in zip(counted, kept.statistics, strict=True):
        rows = [mtsig.Settings(n_resamples=100).family(one)[0] for one in (before, after)]
        assert rows[0] == rows[1]
        assert sampling_part(before, rows[0]) == sampling_part(after, rows[1])


def test_names_of_runs_are_asked_about_and_taken_as_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = ["--data", str(written(tmp_path / "runs", "run")), "--metric", "chrf", "--seed", "1", "--format", "json"]
    assert main(["compare", *data]) == 0
    out, err = capsys.readouterr()
    assert {name["system"] for name in flat(json.loads(out))["systems"]} == {
        f"{name}.run{i}" for name in SAMPLES for i in (1, 2, 3)
    }
    assert not lacking(err, "mtsig runs", "--as-samples")
    outcomes = []
    for said in ([], ["ours=ours.run1,ours.run2,ours.run3", "base=base.run2,base.run1,base.run3"]):
        assert main(["compare", *data, "--as-samples", *said]) == 0
        out, err = capsys.readouterr()
        assert not lacking(err, "base 3", "ours 3")
        outcomes.append(sorted((row["system"], row["score"]) for row in flat(json.loads(out))["systems"]))
    assert outcomes[0] == outcomes[1]
    assert main(["power", *data[:4], "--pair", "ours", "base", "--as-samples", "--price-segment", "4", "--price-sample",
                 "1"]) == 0  # fmt: skip
    said = capsys.readouterr().out
    costs = [line.split()[-1] for line in said.split("cost\n")[1].splitlines() if line.strip()[:1].isdigit()]
    assert costs == ["200", "240", "280", "360", "560", "560"]
    for said, expected in ((["ours=ours.run9"], "no output called 'ours.run9'"), (["ours"], "SYSTEM=OUTPUT")):
        assert main(["compare", *data, "--as-samples", *said]) == 2
        assert expected in capsys.readouterr().err
    assert main(["compare", "--data", str(written(tmp_path / "plain", "out")), "--as-samples"]) == 2
    assert "found no outputs" in capsys.readouterr().err


def test_missing_samples_and_lone_ratings() -> None:
    lines = {"x.sample1": ["a cat", "dogs", None], "x.sample2": [None, "a dog", "mice"], "y": ["cat", "dog", "mouse"]}
    plain = Corpus.of(lines, {"ref": ["a cat", "a dog", "a mouse"]})  # type: ignore[arg-type]
    corpus = plain.pooled({"x": ["x.sample1", "x.sample2"]})
    assert corpus.outputs["x"] == ("a cat", "dogs", "mice")
    statistics = mtsig.measure(corpus, "sentchrf")
    one = mtsig.measure(
        Corpus.of({"p": ["a cat", "dogs", "mice"], "q": ["a cat", "a dog", "mice"]}, dict(plain.references)), "sentchrf"
    ).segment_scores
    assert statistics.segment_scores[0] == pytest.approx(one.mean(axis=0))
    assert statistics.signature.endswith("|samples:1–2")
    assert statistics.samples is not None
    assert {name: own.tolist() for name, own in statistics.samples.counts.items()} == {"x": [1, 2, 1], "y": [1, 1, 1]}
    # A part of the segments, and of the systems, has their samples.
    part = corpus.take([1]).select(["x"])
    assert part.samples == {"x": {"x.sample1": ("dogs",), "x.sample2": ("a dog",)}}
    again = plain.pooled({"x": ["x.sample2", "x.sample1"]})
    assert (corpus == plain, corpus == again, corpus.digest == again.digest) == (False, True, True)
    wrong: list[tuple[dict[str, list[str]], type[MtsigError], str]] = [
        ({"x": ["x.sample1"]}, NotApplicable, "no sample of segment 3"),
        ({"x": ["x.sample1", "x.sample1"]}, InvalidOption, "found one twice"),
        ({"y": ["y", "x.sample1"]}, InvalidOption, "give one another name"),
        ({"x": ["z"]}, UnknownName, "no output called 'z'"),
    ]
    for samples, error, said in wrong:
        with pytest.raises(error, match=said):
            plain.pooled(samples)


def test_scores_of_samples_are_averaged_and_their_spread_is_known(tmp_path: Path, kept: Kept) -> None:
    rng = np.random.default_rng(3)
    scores = rng.integers(0, 2, (4, 30)).astype(float)
    rows = ["segment\tours.sample1\tours.sample2\tbase.sample1\tbase.sample2"]
    rows += ["\t".join([str(i + 1), *(f"{value:g}" for value in column)]) for i, column in enumerate(scores.T)]
    (tmp_path / "accuracy.tsv").write_text("\n".join(rows) + "\n")
    corpus = mtsig.read(tmp_path / "accuracy.tsv")
    statistics, row = compared(corpus, "accuracy")
    assert dict(zip(statistics.systems, statistics.scores, strict=True)) == pytest.approx(
        {"ours": scores[:2].mean(), "base": scores[2:].mean()}
    )
    part = sampling_part(statistics, row)
    within = [scores[at : at + 2].var(axis=0, ddof=1).mean() for at in (0, 2)]
    assert part is not None
    assert part.sampling == pytest.approx(sum(within) / 2 / 30)
    found = [one.found for one in findings(Seen(corpus, families=(mtsig.Settings(n_resamples=50).family(statistics),)))]
    assert any(not lacking(text, f"{part.share:.0%} of the variance", "in accuracy") for text in found)
    kept("readers", *found, *mtsig.compare(corpus, "accuracy", n_resamples=50).notes)


def test_repeats_of_lm_evaluation_harness_are_samples(tmp_path: Path) -> None:
    for model in ("large", "small"):
        lines = [
            {
                "doc_id": i, "doc": {}, "target": line, "arguments": {"gen_args_0": {"arg_0": line, "arg_1": {}}},
                "resps": [[SAMPLES["ours" if model == "large" else "base"][k][i] for k in range(3)]],
                "filtered_resps": [SAMPLES["ours" if model == "large" else "base"][0][i]], "filter": "none",
                "exact_match": 0.0,
            }
            for i, line in enumerate(REFERENCE)
        ]  # fmt: skip
        (tmp_path / model).mkdir()
        (tmp_path / model / "samples_t.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    corpus = mtsig.read(tmp_path)
    assert {name: len(own) for name, own in corpus.samples.items()} == {"large": 3, "small": 3}
    assert tuple(corpus.samples["large"].values())[1] == tuple(SAMPLES["ours"][1])
    assert corpus.ratings["exact_match"].samples is not None
    assert not corpus.ratings["exact_match"].values.any()


def logged(folder: Path, inspect: bool) -> Path:
    """Write the same as logs: of Inspect with epochs, or of lm-evaluation-harness with repeats, the usual filter's."""
    folder.mkdir()
    for name, several in SAMPLES.items():
        if inspect:
            answers = [
                {
                    "id": i, "epoch": epoch, "input": f"question {i}", "target": REFERENCE[i],
                    "output": {"choices": [{"message": {"role": "assistant", "content": text}}], "completion": text},
                    "scores": {"match": {"value": "C" if text == REFERENCE[i] else "I", "answer": text}},
                }
                for epoch, lines in enumerate(several, 1) for i, text in enumerate(lines)
            ]  # fmt: skip
            log = {"version": 2, "status": "success", "eval": {"task": "t", "model": name}, "samples": answers}
            (folder / f"{name}.json").write_text(json.dumps(log))
            continue
        (folder / name).mkdir()
        rows = [
            {
                "doc_id": i, "doc": {"q": i}, "target": line, "filter": "none", "exact_match": 0.0,
                "arguments": {"gen_args_0": {"arg_0": f"question {i}", "arg_1": {"do_sample": True}}},
                "resps": [[lines[i] for lines in several]], "filtered_resps": [several[0][i]],
            }
            for i, line in enumerate(REFERENCE)
        ]  # fmt: skip
        (folder / name / "samples_t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def test_folders_repeats_and_epochs_come_to_the_same_share_and_plan(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chrf, n = CHRF(), len(REFERENCE)
    drawn, pooled = {}, {}

    def score(sums: np.ndarray) -> float:
        return chrf._compute_score_from_stats(list(sums)).score

    for name, lists in SAMPLES.items():
        several = [np.array(chrf._extract_corpus_statistics(own, [REFERENCE]), dtype=float) for own in lists]
        pooled[name] = np.mean(several, axis=0)
        total = pooled[name].sum(axis=0)
        moved = [[score(total - own[i]) for own in several] for i in range(n)]
        drawn[name] = np.var(moved, axis=1, ddof=1).sum() / 3
    left = [np.subtract(*(score(np.delete(pooled[name], i, 0).sum(0)) for name in SAMPLES)) for i in range(n)]
    share = sum(drawn.values()) / ((n - 1) ** 2 / n * np.var(left, ddof=1))
    for folder in (
        written(tmp_path / "folder", "sample"),
        logged(tmp_path / "repeats", inspect=False),
        logged(tmp_path / "epochs", inspect=True),
    ):
        given = ["--data", str(folder), "--metric", "chrf", "--unit", "segment", "--pair", "ours", "base"]
        assert main(["compare", *given, "--resamples", "100"]) == 0
        said = capsys.readouterr()
        assert f"Sampling causes {min(share, 1):.0%} of the variance" in said.out + said.err, folder
        assert main(["power", *given, "--price-segment", "4", "--price-sample", "1"]) == 0
        assert "At these prices" in capsys.readouterr().out, folder


def test_the_example_of_the_page_gives_what_it_prints(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "statistics" / "samples.md").read_text(encoding="utf-8")
    exec(page.split("```python\n")[1].partition("```")[0], {})
    assert capsys.readouterr().out == page.split("```\n")[-2].removeprefix("```\n").strip("\n") + "\n"


def test_pages_take_samples_and_say_what_they_are_worth(tmp_path: Path) -> None:
    at = pages.app()
    folder = written(tmp_path / "runs", "run")
    files = [File(path.name, path) for path in sorted(folder.iterdir())]
    at.session_state["session"].load_parts(parts_of(files))
    at = pages.at_page(at.run(), "data")
    (button,) = [one for one in at.button if one.label == "Treat each group as samples of one model"]
    at = button.click().run()
    corpus = at.session_state["session"].data.corpus
    assert {name: len(own) for name, own in corpus.samples.items()} == {"base": 3, "ours": 3}
    for page in ("compare", "planning"):
        at = pages.at_page(at, page)
        said = [*(one.value for one in at.markdown), *(one.value for one in at.caption)]
        assert any(not lacking(text, "of the variance", "BLEU") for text in said), page
        for label, price in (("Price of a segment", 9.0), ("Price of one more output", 1.0)):
            (asked,) = [one for one in at.number_input if one.label == label]
            asked.set_value(price)
        at = at.run()
        said = [*(one.value for one in at.markdown), *(one.value for one in at.caption)]
        assert any("At these prices" in text for text in said), page


@pytest.mark.parametrize("nested", [False, True])
def test_several_choices_in_one_completion_are_samples(tmp_path: Path, nested: bool) -> None:
    rows = []
    for number, (line, own) in enumerate(zip(REFERENCE, DRAWN, strict=True)):
        drawn = own["ours"][: 1 if number == 5 else 3]
        choices = [{"index": i, "message": {"role": "assistant", "content": text}} for i, text in enumerate(drawn)]
        held = {"response": {"body": {"id": "x", "choices": choices}}} if nested else {"choices": choices}
        rows.append({"ref": line, **held})
    path = tmp_path / "ours.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    corpus = mtsig.read(path)
    expected = [[None if number == 5 and i else own["ours"][i] for number, own in enumerate(DRAWN)] for i in range(3)]
    assert [list(lines) for lines in corpus.samples["ours"].values()] == expected


def test_a_choice_without_text_is_named(tmp_path: Path) -> None:
    said = [{"message": {"role": "assistant", "content": text}} for text in ("one cat", None, "two dogs")]
    path = tmp_path / "gap.jsonl"
    path.write_text("".join(json.dumps({"ref": line, "choices": said}) + "\n" for line in REFERENCE))
    with pytest.raises(MtsigError, match=r"gap\.jsonl, line 1: expected one answer"):
        mtsig.read(path)
