"""A line is held against what the references and the source have there before a system is blamed for it."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from mtsig import Corpus, check_data, read_sample
from mtsig.doctor import Finding

SAMPLE = read_sample()
SOURCES = list(SAMPLE.segments.sources or ())
REFERENCE = [line or "" for line in SAMPLE.references["ref"]]
SOME = range(0, 200, 20)
STUCK = "I am afraid that I cannot translate this."


def put(lines: Sequence[str | None], line: Callable[[int], str]) -> list[str]:
    return [line(n) if n in SOME else old or "" for n, old in enumerate(lines)]


def everywhere(line: Callable[[int], str], systems: int | None = None) -> dict[str, list[str]]:
    """Return the outputs with the line put into all systems, or the first few."""
    names = list(SAMPLE.outputs)[:systems]
    return {name: put(lines, line) if name in names else list(lines) for name, lines in SAMPLE.outputs.items()}


def corpus(
    outputs: dict[str, list[str]], reference: Sequence[str] = REFERENCE, sources: Sequence[str] | None = SOURCES
) -> Corpus:
    return Corpus.of(outputs, {"ref": reference}, sources=sources)


def found(data: Corpus, check: str) -> list[Finding]:
    return [one for one in check_data(data, [check]) if one.check == check]


# --- repeated output ----------------------------------------------------------------------------------------


def test_a_line_that_all_systems_repeat_is_one_warning() -> None:
    (one,) = found(corpus(everywhere(lambda _: STUCK)), "repeated output")
    assert one.level == "warning"
    assert all(repr(name) in one.where + one.found for name in SAMPLE.outputs)


def test_a_line_may_repeat_where_its_source_does() -> None:
    sources = put(SOURCES, lambda _: "No lo puedo traducir, lo siento.")
    assert found(corpus(everywhere(lambda _: STUCK), sources=sources), "repeated output") == []


def test_a_line_may_repeat_where_its_reference_does() -> None:
    reference = put(REFERENCE, lambda _: "Sorry, there is no translation for it.")
    assert found(corpus(everywhere(lambda _: STUCK), reference), "repeated output") == []


def test_a_line_may_repeat_where_its_source_says_nearly_the_same() -> None:
    ways = ["¿Podría usted traducirme esta línea, por favor?", "Por favor, ¿podría usted traducirme esta línea hoy?"]
    sources = put(SOURCES, lambda n: ways[n // 20 % 2])
    assert found(corpus(everywhere(lambda _: STUCK), sources=sources), "repeated output") == []


def test_without_source_and_references_the_other_systems_tell_segments_apart() -> None:
    alone = replace(corpus(everywhere(lambda _: STUCK, systems=1), sources=None), references={})
    (one,) = found(alone, "repeated output")
    assert (one.where, one.level) == (f"system {next(iter(SAMPLE.outputs))!r}", "warning")
    assert found(replace(corpus(everywhere(lambda _: STUCK), sources=None), references={}), "repeated output") == []
    assert found(alone.select(list(SAMPLE.systems)[:1]), "repeated output") == []


def test_without_sources_a_line_may_repeat_where_half_of_the_other_systems_repeat_theirs() -> None:
    most = corpus(everywhere(lambda _: STUCK, systems=4), sources=None)
    assert found(most, "repeated output") == []
    (one,) = found(corpus(everywhere(lambda _: STUCK, systems=1), sources=None), "repeated output")
    assert one.level == "warning"


# --- script, copies of the source, empty lines --------------------------------------------------------------


def russian(number: int) -> str:
    return f"Это строка на другом языке, номер {number}, и переводить её никто не стал"


def test_lines_in_another_script_that_the_reference_has_too_are_noted_once() -> None:
    (one,) = found(corpus(everywhere(russian), put(REFERENCE, russian)), "script")
    assert (one.where, one.level) == ("references and systems", "note")
    assert "10 of 200" in one.found


def test_lines_in_another_script_that_the_reference_alone_has_are_its_own() -> None:
    (one,) = found(corpus(everywhere(russian, systems=0), put(REFERENCE, russian)), "script")
    assert (one.where, one.level) == ("reference 'ref'", "warning")


def test_lines_in_another_script_that_the_reference_has_not_are_one_warning() -> None:
    (one,) = found(corpus(everywhere(russian)), "script")
    assert one.level == "warning"
    assert all(repr(name) in one.where + one.found for name in SAMPLE.outputs)


def test_one_system_that_has_a_references_line_in_another_script_is_not_blamed_for_it() -> None:
    (one,) = found(corpus(everywhere(russian, systems=1), put(REFERENCE, russian)), "script")
    assert one.where == "reference 'ref'"


def test_source_lines_that_the_reference_leaves_as_they_are_are_no_systems_fault() -> None:
    outputs, reference = everywhere(SOURCES.__getitem__), put(REFERENCE, SOURCES.__getitem__)
    assert [one.level for one in found(corpus(outputs), "copied source")] == ["warning"]
    assert [one.level for one in found(corpus(outputs, reference), "copied source")] == ["note"]


def test_empty_lines_where_the_reference_is_empty_are_noted_once() -> None:
    outputs, reference = everywhere(lambda _: ""), put(REFERENCE, lambda _: "")
    assert [one.level for one in found(corpus(outputs), "empty")] == ["warning"]
    assert [(one.where, one.level) for one in found(corpus(outputs, reference), "empty")] == [
        ("references and systems", "note")
    ]


def test_one_or_two_lines_are_no_warning_however_few_there_are() -> None:
    data = corpus(everywhere(lambda _: "", systems=1))
    assert [one.level for one in found(data.take(range(19, 100)), "empty")] == ["warning"]
    assert [one.level for one in found(data.take(range(19, 79)), "empty")] == ["warning"]
    assert [one.level for one in found(data.take(range(19, 59)), "empty")] == ["note"]
    assert [one.level for one in found(data.take([20, 40]), "empty")] == ["warning"]


# --- language -----------------------------------------------------------------------------------------------

JAPANESE = "これは日本語で書かれた文です。今日は天気がとても良いので散歩に行きましょう。"


def test_names_in_a_translated_japanese_line_make_it_no_line_in_the_source_language() -> None:
    name = "The Royal Mail International Signed For Limited Company"
    outputs = {"a": put([JAPANESE] * 200, lambda _: f"{name}から荷物が届きました。"), "b": [JAPANESE] * 200}
    data = Corpus.of(outputs, {"ref": [JAPANESE] * 200}, sources=[f"{name} sent a parcel."] * 200)
    assert found(data, "language") == []
    left = replace(data, outputs={**outputs, "a": put([JAPANESE] * 200, lambda _: f"{name} sent a parcel.")})
    assert [one.where for one in found(left, "script")] == ["system 'a'"]


def test_lines_in_the_source_language_are_one_finding_unless_the_reference_has_them() -> None:
    outputs, reference = everywhere(lambda n: f"{SOURCES[n]} ok"), put(REFERENCE, lambda n: f"{SOURCES[n]} ja")
    (one,) = found(corpus(outputs), "language")
    assert one.level == "warning"
    assert all(repr(name) in one.where + one.found for name in SAMPLE.outputs)
    assert found(corpus(outputs, reference), "language") == []
