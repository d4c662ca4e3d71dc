"""Options: one description gives bounds, messages, flags and the reading of texts."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pytest
from kept import worded

import mtsig
from mtsig import Settings
from mtsig._options import MEANT, Option, check, configured, option, options
from mtsig.errors import _ELSEWHERE, InvalidOption, UnknownName, find
from mtsig.inference import CORRECTIONS, INTERVALS, TESTS
from mtsig.meta_eval._systems import STATISTICS
from mtsig.report import exporter


@dataclass(frozen=True)
class Soup:
    spoons: int = option(3, "Spoons", "How many.", low=1, high=9)
    heat: float = option(0.5, "Heat", "How hot.", low=0)
    salted: bool = option(False, "Salted", "Whether.")
    herb: str | None = option(None, "Herb", "Which.", choices=("none", "dill", "thyme"))
    name: str = option("borscht", "Name", "What it is called.", advanced=True)
    day: Literal["monday", "friday"] = option("monday", "Day", "When.")
    limit: float | None = option(None, "Limit", "Until when.")
    secret: int = 7  # no option: no label

    def __post_init__(self) -> None:
        check(self)


def of(name: str, thing: object = Soup) -> Option:
    return next(one for one in options(thing) if one.name == name)


def test_options_are_the_fields_with_a_label() -> None:
    assert [one.name for one in options(Soup)] == ["spoons", "heat", "salted", "herb", "name", "day", "limit"]


def test_types_and_choices_are_read_from_the_annotation() -> None:
    assert (of("herb").type, of("herb").optional) == (str, True)
    assert (of("limit").type, of("limit").optional) == (float, True)
    assert (of("day").type, of("day").choices) == (str, ("monday", "friday"))
    assert of("spoons").optional is False


def test_the_values_of_an_object_stand_as_defaults() -> None:
    assert of("spoons", Soup(spoons=5)).default == 5
    assert of("spoons").default == 3


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("spoons=5", {"spoons": 5}),
        ("heat=1e-3", {"heat": 0.001}),
        ("salted=yes,spoons=1", {"salted": True, "spoons": 1}),
        ("salted=FALSE", {"salted": False}),
        ("herb=dill", {"herb": "dill"}),
        ("limit=none", {"limit": None}),
        ("limit=", {"limit": None}),
        ("", {}),
    ],
)
def test_texts_are_read_into_values(text: str, values: dict[str, object]) -> None:
    assert configured(Soup(), text) == Soup(**values)


def test_a_choice_called_none_is_that_choice() -> None:
    # "bleu:tokenize=none" asks for sacreBLEU's tokenizer called none, not for "let the program choose".
    assert configured(Soup(herb="dill"), "herb=none").herb == "none"
    assert configured(Soup(herb="dill"), "herb=").herb is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("spoons=0", "from 1 to 9"),
        ("spoons=10", "from 1 to 9"),
        ("spoons=2.5", "a whole number"),
        ("spoons=many", "'many'"),
        ("heat=-1", "at least 0"),
        ("heat=nan", "a number"),
        ("heat=inf", "a number"),
        ("salted=perhaps", "true or false"),
        ("herb=mint", "one of none, dill, thyme"),
        ("day=sunday", "one of monday, friday"),
        ("spoons", "name=value"),
    ],
)
def test_a_bad_value_is_answered_with_what_is_allowed(text: str, expected: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        configured(Soup(), text)
    assert expected in str(caught.value)
    assert text.partition("=")[0] in str(caught.value)


def test_a_number_of_numpy_is_told_as_a_number() -> None:
    with pytest.raises(InvalidOption, match=r"found 12\.$"):
        Soup(spoons=np.int64(12))  # type: ignore[arg-type]
    with pytest.raises(InvalidOption, match=r"found -1\.5\.$"):
        Soup(heat=np.float64(-1.5))


def test_an_unknown_option_is_answered_with_those_there_are() -> None:
    with pytest.raises(UnknownName, match=r"'fork'.*spoons, heat"):
        configured(Soup(), "fork=1")


def test_where_there_are_no_options_none_are_named() -> None:
    with pytest.raises(UnknownName, match=r"no option called 'foo'\. Known: none\.$"):
        exporter("csv:foo=1")
    with pytest.raises(InvalidOption, match=r"found 'foo'\. Known: none\.$"):
        exporter("csv:foo")


@pytest.mark.parametrize("values", [{"spoons": True}, {"spoons": "3"}, {"salted": 1}, {"name": None}, {"heat": "hot"}])
def test_a_value_of_the_wrong_type_makes_no_object(values: dict[str, object]) -> None:
    with pytest.raises(InvalidOption):
        Soup(**values)


def test_a_whole_number_is_a_number() -> None:
    assert Soup(heat=2).heat == 2


@pytest.mark.parametrize(
    "values",
    [
        {"level": 0.4}, {"level": 1.0}, {"level": 95}, {"n_resamples": 9}, {"seed": -1}, {"test": "t-test"},
        {"correction": "fdr"}, {"interval": "wald"}, {"alternative": "either"}, {"unit": "word"},
    ],
)  # fmt: skip
def test_settings_out_of_range_do_not_exist(values: dict[str, object]) -> None:
    with pytest.raises(InvalidOption, match=next(iter(values))):
        Settings(**values)


def test_every_setting_describes_itself() -> None:
    for one in options(Settings):
        assert one.label
        assert one.help.endswith(".")


def test_find_returns_the_entry_or_the_thing_itself() -> None:
    table = {"dill": 1, "thyme": 2}
    assert find(table, "thyme", "herb") == 2
    assert find(table, 7, "herb") == 7
    with pytest.raises(UnknownName) as caught:
        find(table, "thime", "herb")
    worded(str(caught.value), "'thime'", "'thyme'")
    assert "dill, thyme" in str(caught.value)
    with pytest.raises(UnknownName, match="Did you mean 'COMET'"):
        find({"COMET": 1, "MQM": 2}, "comet", "rating")


def test_a_misspelt_choice_is_recognized_unless_several_begin_like_it() -> None:
    with pytest.raises(InvalidOption, match=r"found 'bonferoni'\. Did you mean 'bonferroni'\?$"):
        Settings(correction="bonferoni")
    with pytest.raises(InvalidOption, match=r"found 'boot'\.$"):
        Settings(test="boot")


@pytest.mark.parametrize(
    ("setting", "theirs", "ours"),
    [
        ("test", "bootstrap", "'bootstrap-shift' or 'bootstrap-koehn' or 'sacrebleu-bs'"),
        ("test", "paired-ar", "'ar' or 'sacrebleu-ar'"),
        ("test", "ttest_rel", "'jackknife-t' or 't'"),
        ("test", "permutation_test", "'ar'"),
        ("interval", "bootstrap", "'percentile'"),
        ("interval", "BCa", "'bca'"),
        ("correction", "fdr_bh", "'bh'"),
        ("correction", "fdr_by", "'by'"),
        ("correction", "holm-sidak", "'holm'"),
        ("correction", "Bonferroni", "'bonferroni'"),
        ("alternative", "larger", "'greater'"),
        ("unit", "sentence", "'segment'"),
    ],
)
def test_names_of_other_libraries_are_understood_as_hints(setting: str, theirs: str, ours: str) -> None:
    with pytest.raises(InvalidOption, match=rf"; found '{theirs}'\. Did you mean {ours}\?$"):
        Settings(**{setting: theirs})


def test_hints_name_what_there_is() -> None:
    known = {*TESTS, *INTERVALS, *CORRECTIONS, *STATISTICS, "greater", "less", "segment", "document", *mtsig.__all__}
    known |= {option.name for metric in ("bleu", "chrf") for option in options(mtsig.metric(metric))}
    assert {ours for names in _ELSEWHERE.values() for ours in names} <= known


def test_options_of_a_metric_are_arguments_too() -> None:
    written = mtsig.metric("bleu:tokenize=zh,lowercase=true,smooth_value=0.5")
    assert mtsig.metric("bleu", tokenize="zh", lowercase=True, smooth_value=0.5) == written
    assert mtsig.metric("bleu:tokenize=zh", lowercase=True, smooth_value=0.5) == written
    assert mtsig.metric(mtsig.metric("bleu"), tokenize="zh", lowercase=True, smooth_value=0.5) == written
    assert mtsig.metric("rating:a:b", shared=True) == mtsig.metric("rating:a:b:shared=true")
    with pytest.raises(mtsig.MtsigError, match="no option called 'tokenise'"):
        mtsig.metric("bleu", tokenise="zh")


@pytest.mark.parametrize(
    ("call", "named", "said"),
    [
        (mtsig.compare, {"paired_bs_n": 1000}, r"Did you mean n_resamples\?"),
        (mtsig.compare, {"paired_ar_n": 1000}, r"Did you mean n_resamples\?"),
        (mtsig.compare, {"tokenize": "intl"}, r'Did you mean metrics="bleu:tokenize=intl"\?'),
        (mtsig.measure, {"word_order": 2}, r'Did you mean metric_or_name="chrf:word_order=2"\?'),
        (mtsig.compare, {"pair": ("A", "B")}, r"Did you mean pairs\?"),
        (mtsig.audit, {"pair": ("A", "B")}, r"Did you mean first=…, second=…\?"),
    ],
)
def test_habits_of_other_programs_are_answered(call: Any, named: Any, said: str) -> None:
    with pytest.raises(UnknownName, match=said):
        call(mtsig.read_sample(), **named)


@pytest.mark.parametrize(
    ("metric", "option"), [("bleu:tok=13a", "tokenize"), ("chrf:nw=2", "word_order"), ("bleu:lc=true", "lowercase")]
)
def test_short_names_of_options_are_answered(metric: str, option: str) -> None:
    with pytest.raises(UnknownName, match=f"Did you mean '{option}'"):
        mtsig.metric(metric)


def test_options_that_are_told_as_those_of_metrics_are() -> None:
    told = {meant[0].removeprefix('metrics="').partition("=")[0] for meant in MEANT.values() if ":" in meant[0]}
    assert len(told) > 8
    for metric, _, name in (text.partition(":") for text in told):
        assert name in {option.name for option in options(mtsig.metric(metric))}
