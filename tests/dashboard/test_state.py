"""Ratings of many raters are read, put together and worked on by workers; the server holds them as one part."""

from dataclasses import replace
from functools import partial
from time import process_time

import pytest
from mtsig_dashboard.contents import weight
from mtsig_dashboard.serving._workers import Workers
from mtsig_dashboard.session import Session
from mtsig_dashboard.state import Data, every, in_samples, made_of, read_parts, size_of
from pages import lines

from mtsig import Corpus
from mtsig.cli._dashboard import VisitorLimits
from mtsig.collection._sets import parts_of_files
from mtsig.readers import File, assemble


def ratings(raters: int) -> File:
    rows = (f"s{rater % 3}\t{rater // 3 + 1}\tr{rater}\t{rater * 7 % 10}" for rater in range(raters))
    return File("human.tsv", lines(["system\tsegment\trater\tscore", *rows]))


def made(data: Data) -> Corpus:
    corpus = data.made_of_set(None)
    assert isinstance(corpus, Corpus)
    return corpus


def test_few_raters_are_a_part_each_and_many_are_one() -> None:
    assert [len(read_parts([ratings(count)])) for count in (200, 201, 3000)] == [200, 1, 1]


def test_one_part_of_many_raters_makes_the_same_corpus() -> None:
    files = [ratings(300), File("ref.txt", lines(["a text"] * 100))]
    several, one = parts_of_files(files), read_parts(files)
    assert [(part.label, part.name, part.role) for part in every(one)] == [
        (part.label, part.name, part.role) for part in several
    ]
    by_each, by_one = assemble(several), made(Data(one))
    assert by_one.digest == by_each.digest
    assert by_one.notes == by_each.notes
    assert by_one.ratings["human"].rater_scores == by_each.ratings["human"].rater_scores


def test_what_is_chosen_of_the_part_holds_for_every_rater() -> None:
    (part,) = read_parts([ratings(300)])
    corpus = made(Data([replace(part, name="esa", better="lower")]))
    assert list(corpus.ratings) == ["esa"]
    assert not corpus.ratings["esa"].higher_is_better
    assert {own.role for own in every([part.with_role("ignored")])} == {"ignored"}


def test_a_file_that_is_dropped_again_takes_the_place_of_its_raters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtsig_dashboard.session.users_spool", lambda: None)
    visit = Session()
    for raters in (150, 300, 150):
        file = ratings(raters)
        visit.drop([file], read_parts([file]))
        scores = made(visit.data).ratings["human"].rater_scores
        assert scores is not None
        assert len(scores.raters) == raters


@pytest.mark.slow
def test_a_campaign_of_many_raters_takes_the_server_a_small_share_of_its_work() -> None:
    file, workers = ratings(4_000), Workers(VisitorLimits(workers=1))
    begun = process_time()
    assert made_of(read_parts([file])).keys() == {None}
    whole = process_time() - begun
    try:
        workers.run(partial(read_parts, [ratings(10)]))
        begun = process_time()
        data = Data()
        data.assemble(
            workers.run(partial(read_parts, [file])), making=lambda parts: workers.run(partial(made_of, parts))
        )
        assert weight(data) > size_of(data.parts[0]) > 0
        assert len(str(data.choices)) < 1000
        assert process_time() - begun < whole / 4
    finally:
        workers.close()


def test_outputs_become_samples_and_many_raters_stay_one_part() -> None:
    texts = [File(f"{name}.txt", lines(["a text"] * 200)) for name in ("s0", "s1", "ref")]
    read_of = read_parts([ratings(600), *texts])
    renamed = in_samples(read_of, {"mine": ["s0", "s1"]})
    assert len(renamed) == len(read_of) == 4
    assert {part.name for part in renamed if part.role == "system"} == {"mine.sample1", "mine.sample2"}
    assert {name for part in every(renamed) if part.scored for name in part.scored.systems} == {
        "mine.sample1", "mine.sample2", "s2",
    }  # fmt: skip
