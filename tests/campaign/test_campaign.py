"""Campaigns in the shell: what the verbs print is what Python finds, WMT's rules next to the valid analysis."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pandas as pd
import pytest
from kept import Kept, lacking, parts, worded
from made_campaigns import rated
from pages import at_page, figures, texts, uploaded

import mtsig
from mtsig import Corpus, read, verdict
from mtsig._probability import satterthwaite_df
from mtsig.campaign import autoranks, few_ratings, plan_sample, span_agreement
from mtsig.campaign._few import inclusions
from mtsig.campaign._rules import official_ranks
from mtsig.cli import main
from mtsig.cli._schemas import schema_of
from mtsig.errors import ReadError
from mtsig.readers import assemble
from mtsig.readers._rating_files import named_ratings
from mtsig.report._tables import _half_width

DATA = ["--data", "sample_data/es-en", "-q"]


def printed(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    """Return the JSON that a verb prints, once it fits its schema."""
    assert main([*map(str, arguments), "--format", "json"]) == 0, capsys.readouterr().err
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    jsonschema.validate(found, schema_of(str(arguments[0])))
    return found


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert main([*map(str, arguments)]) == 2
    return capsys.readouterr().err


def written(corpus: Corpus, place: Path, shift: float = 0.0) -> Path:
    """Write the ratings as a table, each system better than the one before it by so much."""
    assert corpus.documents is not None
    with place.open("w", encoding="utf-8", newline="") as out:
        rows = csv.writer(out, delimiter="\t", lineterminator="\n")
        rows.writerow(["system", "document", "segment", "esa"])
        for row, system in enumerate(corpus.systems):
            for i, document in enumerate(corpus.documents):
                value = corpus.ratings["esa"].values[row, i]
                if not np.isnan(value):
                    rows.writerow([system, document, corpus.documents[:i].count(document) + 1, value + shift * row])
    return place


def rated_only(place: Path) -> Corpus:
    return assemble(named_ratings([place]))


def test_wmts_rules_stand_next_to_the_valid_ranks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ten equal systems whose documents matter, and ten different ones: from a file to analyses, page and report."""
    made = rated(np.random.default_rng(3), icc=0.3, raters=True)
    for name, shift, fewest_valid in (("equal", 0.0, 0), ("different", 12.0, 30)):
        place = written(made, tmp_path / f"{name}.tsv", shift)
        asked = ["compare", "--ratings", place, "--metric", "esa", "--compat"]
        found = printed(capsys, *asked, "wmt25")
        (result,) = mtsig.compare(rated_only(place), "esa").results
        valid = sum(verdict(row).winner is not None for row in result.compared)
        ranked = official_ranks(rated_only(place), "esa", "wmt25")
        assert [row["system"] for row in found["official"]] == [row.system for row in ranked.records]
        assert [row["rank_high"] for row in found["official"]] == [row.rank_high for row in ranked.records]
        assert valid <= ranked.wins.sum()
        assert (valid == 0) == (fewest_valid == 0)
        assert ranked.wins.sum() >= max(5, fewest_valid)
        if name == "equal":
            continue
        at = at_page(uploaded({"esa.tsv": place.read_bytes()}), "trust")
        at.selectbox(key="rule").set_value("wmt25").run()
        assert not at.error, [one.value for one in at.error]
        by_rule, by_pairs = (axis["title"]["text"].replace("<br>", " ") for axis in _axes(figures(at)[0]))
        assert not lacking(by_rule, "WMT25", f": {ranked.wins.sum()} of 45")
        assert not lacking(by_pairs, "valid", f": {valid} of 45")
        assert not lacking(texts(at), "does not correct", "ten equal systems")
        folder, study = tmp_path / f"{name}-report", tmp_path / f"{name}.json"
        assert main([*map(str, [*asked[:-1], "-q", "-o", study])]) == 0
        again = ["report", study, "--ratings", place, "--compat", "wmt25", "--to", "html", "-o", folder, "-q"]
        assert main([*map(str, again)]) == 0
        page = _flat((folder / "report.html").read_text(encoding="utf-8"))
        assert f"{ranked.wins.sum()} of 45" in page
        capsys.readouterr()
    assert main([*map(str, asked), "wmt24", "-q"]) == 0
    shown = capsys.readouterr().out
    assert "WMT's ranks" in shown
    assert "valid ranks" in shown
    assert not lacking(shown, "does not correct", "ten equal systems")
    assert "needs the ratings" in refused(capsys, "report", study, "--compat", "wmt25")
    assert "Give both options" in refused(capsys, *asked[:-1], "--without-raters", "wmt26")
    assert "mtsig compare" in refused(capsys, "meta-eval", "--ratings", place, "--compat", "wmt24")
    assert "mtsig meta-eval" in refused(capsys, *asked, "mtme")
    assert "by ratings" in refused(capsys, "compare", *DATA, "--compat", "wmt24")


def _axes(figure: dict[str, Any]) -> list[dict[str, Any]]:
    return [axis for name, axis in figure["layout"].items() if name.startswith("xaxis")]


def _flat(page: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


@pytest.mark.slow
def test_what_a_filter_changes_is_shown_next_to_what_is_without_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kept: Kept
) -> None:
    """One of five raters says the reverse of the others: both results are printed and drawn, and no rating is lost."""
    random = np.random.default_rng(2)
    rows = [["system", "document", "segment", "rater", "esa"]]
    for i in range(100):
        for s in range(4):
            level = (3 - 2 * s if i % 5 == 4 else 2 * s) * 10 + 5 * random.normal()
            rows.append([f"s{s}", f"d{i // 5 * 5 + i % 5}", "1", f"r{i % 5}", f"{level:.3f}"])
    (tmp_path / "esa.tsv").write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    asked = ["compare", "--ratings", tmp_path / "esa.tsv", "--metric", "esa", "--compat", "wmt26-t", "-q"]
    found = printed(capsys, *asked, "--without-raters", "wmt26", "-o", tmp_path / "out")
    assert [row["left_out"] for row in found["official"]] == [[]] * 4 + [["r4"]] * 4
    assert printed(capsys, *asked, "--without-raters", "r4")["official"] == found["official"]
    assert repr("r9") in refused(capsys, *asked, "--without-raters", "r9")
    plain = printed(capsys, *asked)
    assert plain["official"] == found["official"][:4]
    assert {file.name for file in (tmp_path / "out").glob("*.pdf")} == {
        "study-wmt26-t-esa.pdf", "study-wmt26-t-esa-without.pdf",
    }  # fmt: skip
    assert main([*map(str, asked), "--without-raters", "wmt26"]) == 0
    kept("compare", capsys.readouterr().out)


def test_domains_weigh_the_same_in_the_macro_average(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The mean of the domains' means, its error and df by leaving out documents one by one, as loops have them."""
    random = np.random.default_rng(6)
    sizes = random.integers(1, 5, size=36)
    document = np.repeat(np.arange(36), sizes)
    domain = np.where(document < 12, "news", "speech")
    values = random.normal(size=(3, len(document))) + 0.8 * random.normal(size=(3, 36))[:, document]
    values += np.array([[0.6], [0.0], [0.0]])
    for name, held in {
        "docids.txt": [f"d{number}" for number in document], "domains.txt": domain,
        **{f"systems/s{s}.txt": [f"line {i} of {s}" for i in range(len(document))] for s in range(3)},
        "ratings/esa.tsv": ["system\tsegment\tesa", *(f"s{s}\t{i + 1}\t{float(values[s, i])!r}" for s in range(3)
                                                     for i in range(len(document)))],
    }.items():  # fmt: skip
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("".join(f"{line}\n" for line in held), encoding="utf-8")
    study = tmp_path / "study.json"
    asked = ["compare", "--data", tmp_path, "--metric", "rating:esa", "--macro", "domain", "-q", "-o", study]
    assert main([*map(str, asked)]) == 0
    capsys.readouterr()
    averages = mtsig.read_study(study).over[0].compared.averages
    assert averages is not None
    assert len(averages) == 3
    for row in averages:
        apart = values[int(row.first[1])] - values[int(row.second[1])]
        means, variances, dfs = [], [], []
        for name in ("news", "speech"):
            own = sorted(set(document[domain == name].tolist()))
            mean = apart[domain == name].mean()
            left = [apart[(domain == name) & (document != number)].mean() for number in own]
            means.append(mean)
            variances.append((len(own) - 1) / len(own) * sum((one - mean) ** 2 for one in left) / 4)
            dfs.append(satterthwaite_df(sizes[own].astype(float)))
        assert row.difference == pytest.approx(np.mean(means))
        assert row.standard_error == pytest.approx(sum(variances) ** 0.5)
        squares = sum(v**2 / df for v, df in zip(variances, dfs, strict=True))
        assert row.df == pytest.approx(sum(variances) ** 2 / squares)
    assert "macro" in refused(capsys, "compare", "--set", tmp_path, tmp_path, "--macro", "domain")


def test_a_part_of_one_segment_is_named_and_omitted_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = ["system\tsegment\tesa", *(f"{name}\t{i + 1}\t{i * 7 % 11 + (name == 'A') * i % 3}" for name in "AB"
                                      for i in range(31))]  # fmt: skip
    domains = ["news"] * 15 + ["speech"] * 15 + ["poem"]
    for name, held in {"domains.txt": domains, "ratings/esa.tsv": rows}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("".join(f"{line}\n" for line in held), encoding="utf-8")
    asked = ["compare", "--data", tmp_path, "--metric", "rating:esa", "--macro", "domain", "-q"]
    worded(refused(capsys, *asked), "1 part", "--skip-broken")
    assert main([*map(str, asked), "--skip-broken"]) == 0
    worded(parts(capsys.readouterr().out, "2 test sets"))


def test_a_sample_is_rated_and_comes_back(tmp_path: Path, capsys: pytest.CaptureFixture[str], kept: Kept) -> None:
    place, campaign = tmp_path / "sample.csv", tmp_path / "campaign.json"
    chosen = ["--size", 80, "--metric", "sentchrf", "--focus", 3, "-o", place, "--pearmut", campaign]
    found = printed(capsys, "sample", *DATA, *chosen)
    corpus = read("sample_data/es-en")
    plan = plan_sample(corpus, 80, "sentchrf", focus=3)
    assert [row["segment"] - 1 for row in found["segments"] if row["chosen"]] == plan.chosen
    known, planned = inclusions(corpus, place)
    np.testing.assert_allclose(known, [row.inclusion for row in plan.records])
    assert np.flatnonzero([] if planned is None else planned).tolist() == plan.chosen
    items = [item for task in json.loads(campaign.read_text("utf-8"))["data"] for item in task]
    assert len(items) == 80
    assert items[0]["tgt"]["direct"] == corpus.lines("direct")[plan.chosen[0]]
    random = np.random.default_rng(5)
    rows = [["system", "segment", "esa"]]
    rows += [
        [system, f"{i + 1}", f"{70 - 8 * number + 10 * random.normal():.2f}"]
        for number, system in enumerate(corpus.systems) for i in plan.chosen
    ]  # fmt: skip
    (tmp_path / "esa.tsv").write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    asked = ["few-ratings", *DATA, "--ratings", tmp_path / "esa.tsv", "--metric", "sentchrf", "--inclusion", place]
    found = printed(capsys, *asked, "--difference", 5, "--price-rating", 2, "--verdict", "metric")
    few = few_ratings(read("sample_data/es-en", ratings=[tmp_path / "esa.tsv"]), "esa", "sentchrf",
                      inclusion=known, verdict="metric")  # fmt: skip
    np.testing.assert_allclose([row["difference"] for row in found["with_metric"]], few.assisted.difference)
    np.testing.assert_allclose([row["p_adjusted"] for row in found["alone"]], few.alone.p_adjusted)
    assert found["sentence"] == few.sentence
    assert [row["cost"] for row in found["needed"]] == [2 * row["ratings"] for row in found["needed"]]
    assert main([*map(str, asked), "--difference", "5"]) == 0
    shown = capsys.readouterr().out
    kept("few-ratings", shown)
    assert shown.index("ratings alone.") < shown.index("without a verdict: ratings")
    assert "bootstrap win rate" not in shown
    # Ratings of other segments than the chosen ones are no sample of the plan.
    (tmp_path / "esa.tsv").write_text("".join("\t".join(row) + "\n" for row in rows if row[1] != rows[1][1]), "utf-8")
    assert main([*map(str, asked)]) == 0
    worded(capsys.readouterr().err, "1 of the 80")
    head = "segment,inclusion\n"
    for wrong, why in (
        (f"{head}1,\n", "its probability"), ("segment,share\n1,.5\n", "segment and inclusion"),
        (f"{head}1,.5\n1,.5\n", "once each"), (f"{head}999,.5\n", "999"),
    ):  # fmt: skip
        place.write_text(wrong, encoding="utf-8")
        with pytest.raises(ReadError, match=why):
            inclusions(corpus, place)
    place.write_text("segment,inclusion\n1,.5\n", encoding="utf-8")
    assert "probability is nan" in refused(capsys, *asked)


def test_autorank_is_printed_with_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    found = printed(capsys, "autorank", *DATA, "--metric", "sentbleu", "sentchrf")
    ranks = autoranks(read("sample_data/es-en"), ["sentbleu", "sentchrf"])
    assert [(row["system"], row["score"]) for row in found["systems"]] == [(row.system, row.score) for row in ranks]
    assert any("ranked systems" in note for note in found["notes"])
    # Of an interval that is cut at the first or last rank, no half width can be added and subtracted.
    (row, *_) = autoranks(read("sample_data/es-en"), ["sentbleu", "sentchrf"])
    around = row.changed(score=2.0, ci_low=1.0, ci_high=3.0)
    assert (_half_width(around), _half_width(around.changed(ci_low=1.5))) == (1.0, None)


def test_spans_are_compared_in_the_shell(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mtsig.campaign._spans.DRAWS", 5)  # the same here and there
    columns = ["doc_id", "segment_id", "system_id", "hypothesis_segment", "method", "start_indices", "end_indices",
               "error_types"]  # fmt: skip
    random = np.random.default_rng(2)
    rows = []
    for i in range(60):
        at = int(random.integers(0, 12))
        for name, start in (("mqm", at), ("close", at + int(random.integers(0, 3))), ("blind", 12 - at)):
            rows.append([f"d{i // 4}", f"{i % 4 + 1}", "A", f"said of the {i}th word", name, start, start + 4, "minor"])
    lines = ["\t".join(map(str, row)) for row in [columns, *rows]]
    for name, held in {
        "systems/A.txt": [row[3] for row in rows[::3]], "docids.txt": [row[0] for row in rows[::3]],
        "ratings/spans.tsv": lines,
    }.items():  # fmt: skip
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("\n".join(map(str, held)) + "\n", encoding="utf-8")
    asked = ["spans", "--data", tmp_path, "--human", "mqm-spans", "-q"]
    found = printed(capsys, *asked)
    agreement = span_agreement(read(tmp_path), "mqm-spans", ["close-spans", "blind-spans"])
    assert [(row["name"], row["f"]) for row in found["spans"]] == [(row.name, row.f) for row in agreement.records]
    (row,) = found["comparisons"]
    assert row["p_adjusted"] < 0.05
    assert main([*map(str, asked), "--measure", "w25"]) == 0
    assert "like close-spans" in capsys.readouterr().out
    assert repr("nothing") in refused(capsys, *asked, "--predicted", "nothing")


@pytest.mark.slow
def test_the_ceiling_of_annotators_is_printed_in_the_shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two annotators of MQM mark the same outputs; a detector's spans come as WMT25 has them."""
    columns = ["doc_id", "segment_id", "system_id", "hypothesis_segment", "method", "start_indices", "end_indices",
               "error_types"]  # fmt: skip
    head = ["system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity"]
    random, mqm, spans = np.random.default_rng(3), [head], [columns]
    outputs = [f"all of what was said of {i}" for i in range(48)]
    for i, text in enumerate(outputs):
        at = int(random.integers(0, 9))
        for rater in ("r1", "r2"):
            start = at + int(random.integers(0, 4))
            marked = f"{text[:start]}<v>{text[start : start + 6]}</v>{text[start + 6 :]}"
            mqm.append(["A", f"d{i // 4}", f"{i % 4 + 1}", f"{i + 1}", rater, "src", marked, "Fluency", "Minor"])
        start = at + int(random.integers(0, 9))
        spans.append([f"d{i // 4}", f"{i % 4 + 1}", "A", text, "auto", f"{start}", f"{start + 6}", "minor"])
    for name, lines in {
        "systems/A.txt": outputs, "docids.txt": [f"d{i // 4}" for i in range(48)],
        "ratings/spans.tsv": ["\t".join(row) for row in spans], "mqm.tsv": ["\t".join(row) for row in mqm],
    }.items():  # fmt: skip
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    asked = ["spans", "--data", tmp_path, "--ratings", f"mqm={tmp_path / 'mqm.tsv'}", "--human", "mqm"]
    asked += ["--predicted", "auto-spans"]
    found = printed(capsys, *asked)
    rows = {row["role"]: row for row in found["spans"]}
    assert rows["ceiling"]["outputs"] == 48
    assert 0 < rows["detector"]["f"] < rows["ceiling"]["ci_low"] < rows["ceiling"]["ci_high"] < 1
    (below,) = found["below_ceiling"]
    assert below["difference"] == pytest.approx(100 * (rows["detector"]["f"] - rows["ceiling"]["f"]))
    assert below["p_adjusted"] < 0.05
    assert main([*map(str, asked)]) == 0
    assert "One annotator reaches" in capsys.readouterr().out


def test_a_campaign_of_one_rater_is_the_table_of_its_ratings(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    scores = {name: np.round(60 + 5 * k + rng.normal(0, 12, 48)) for k, name in enumerate("ABC")}
    (tmp_path / "docs.txt").write_text("".join(f"d{i // 4}\n" for i in range(48)), encoding="utf-8")
    found = []
    for head, own in ((("seg_id", "esa"), ()), (("seg_id", "rater", "esa"), ("r1",))):
        rows = [["system", *head]]
        for name, column in scores.items():
            (tmp_path / f"{name}.txt").write_text("".join(f"{name} {i}\n" for i in range(48)), encoding="utf-8")
            rows += [[name, str(i), *own, f"{score:g}"] for i, score in enumerate(column, 1)]
        (tmp_path / "esa.tsv").write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
        corpus = read(tmp_path)
        by_rater = corpus.ratings["esa"].rater_scores
        assert (() if by_rater is None else by_rater.raters) == own
        found.append(mtsig.compare(corpus, metrics=["rating:esa"]).to_frame(all_columns=True))
    assert len(found[0]) == 3
    # The signature alone names the rater.
    found[1]["signature"] = found[1]["signature"].str.replace("|rater:r1", "")
    pd.testing.assert_frame_equal(*found)
