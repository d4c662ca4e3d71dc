"""Moses n-best lists: what stands in them is read as it is, and what is none is refused with its line."""

import gzip
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig.errors import MtsigError, ReadError
from mtsig.lab._candidates import read_nbest
from mtsig.limits import Limits, within
from mtsig.readers import File

LIST = """0 ||| a house ||| LM0= -4 TranslationModel0= -1.5 -2e0 ||| -7.5
0 ||| the house ||| LM0= -3 TranslationModel0= -1 -2 ||| -6 ||| 0-0 1-1
1 |||  ||| LM0= 0 TranslationModel0= 0 0 ||| 0
"""


def listed(text: str | bytes) -> File:
    return File("n.best", text.encode() if isinstance(text, str) else text)


def test_a_list_is_read_best_first() -> None:
    found = read_nbest(listed(LIST))
    assert found.texts == ("the house", "a house", "")
    assert found.starts.tolist() == [0, 2]
    assert found.names == ("LM0", "TranslationModel0 1", "TranslationModel0 2")
    assert found.values.tolist() == [[-3, -1, -2], [-4, -1.5, -2], [0, 0, 0]]


def test_equal_scores_keep_their_order_and_files_may_be_packed(tmp_path: Path) -> None:
    text = "".join(f"{i} ||| {word} ||| d= 1 ||| -1\n" for i in range(3) for word in "cab")
    (tmp_path / "list.gz").write_bytes(gzip.compress(text.encode()))
    found = read_nbest(tmp_path / "list.gz")
    assert "".join(found.texts) == "cabcabcab"
    assert found.starts.tolist() == [0, 3, 6]


GOOD = "0 ||| a ||| LM0= -4 ||| -7.5\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            f"{GOOD}0 ||| b ||| LM0= -4\n",
            r"n\.best, line 2: found 3 fields in '0 \|\|\| b .*expected number \|\|\| text",
        ),
        (f"{GOOD}\n", "line 2: found 1 field in an empty line"),
        ("1 ||| a ||| LM0= -4 ||| -7.5\n", "line 1: found segment '1', expected 0: .*Sort the list"),
        (f"{GOOD}2 ||| a ||| LM0= -4 ||| 1\n", "line 2: found segment '2', expected 0 or 1"),
        (f"{GOOD}1 ||| a ||| LM0= -4 ||| 1\n{GOOD}", "line 3: found segment '0', expected 1 or 2"),
        (f"{GOOD}x ||| a ||| LM0= -4 ||| 1\n", "line 2: found segment 'x'"),
        (f"{GOOD} ||| a ||| LM0= -4 ||| 1\n", "line 2: found segment an empty line"),
        ("0 ||| a ||| -4 -5 ||| 1\n", "line 1: found '-4' where features begin; .*with labels"),
        ("0 ||| a |||  ||| 1\n", "line 1: found no feature in an empty line"),
        ("0 ||| a ||| = 1 ||| 1\n", "line 1: found '=' where features begin"),
        ("0 ||| a ||| LM0= ||| 1\n", "line 1: found no feature"),
        ("0 ||| a ||| LM0= 1 LM0= 2 ||| 1\n", "line 1: found a feature twice"),
        ("0 ||| a ||| LM0= minus ||| 1\n", "line 1: found 'minus' for a value of 'LM0'; expected a finite number"),
        ("0 ||| a ||| LM0= nan ||| 1\n", "found 'nan' for a value of 'LM0'"),
        ("0 ||| a ||| LM0= -inf ||| 1\n", "found '-inf'"),
        ("0 ||| a ||| LM0= 1_0 ||| 1\n", "found '1_0'"),
        ("0 ||| a ||| LM0= 1 ||| 1e999\n", "line 1: found '1e999' for the score"),
        (f"{GOOD}0 ||| b ||| LM1= -4 ||| 1\n", "line 2: found the features 'LM1'; the first line has 'LM0'"),
        (f"{GOOD}0 ||| b ||| LM0= -4 3 ||| 1\n", "line 2: found the features 'LM0 1, LM0 2'"),
        (f"{GOOD}0 ||| b ||| ||| 1\n", "line 2: found the features 'none'"),
        (f"{GOOD}0 ||| a ||| b ||| LM0= -4 ||| 1\n", "line 2: found 'b' where features begin"),
        ("", "is empty"),
        (b"0 ||| \xff ||| LM0= 1 ||| 1\n", "not valid UTF-8: line 1"),
        (b"0 ||| a\0 ||| LM0= 1 ||| 1\n", "zero byte"),
    ],
)
def test_what_is_no_list_is_refused_with_its_line(text: str | bytes, said: str) -> None:
    with pytest.raises(ReadError, match=said):
        read_nbest(listed(text))


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="there is no such file"):
        read_nbest(tmp_path / "absent")


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (Limits(max_bytes=50), "n.best: found .* bytes"),
        (Limits(max_segments=2), "found 3 lines; at most 2"),
        (Limits(max_columns=4), "line 1: found 5 features and their names; at most 4"),
        (Limits(max_cells=5), "line 2: found 6 cells; at most 5"),
    ],
)
def test_limits_hold(limits: Limits, said: str) -> None:
    with within(limits), pytest.raises(ReadError, match=said):
        read_nbest(listed(LIST))


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(LIST)), st.sampled_from(["", "|||", "\n", "=", "\u2028", "9" * 400, "\x1b[2J", "-inf"]),
       st.integers(0, 30))  # fmt: skip
def test_a_damaged_list_is_read_or_refused_in_one_sentence(at: int, by: str, cut: int) -> None:
    try:
        found = read_nbest(listed(LIST[:at] + by + LIST[at + cut :]))
    except MtsigError as error:
        message = str(error)
    else:
        message = "."
        assert found.values.shape == (len(found.texts), len(found.names))
        assert np.isfinite(found.values).all()
    assert message.endswith(".")
    assert "\x1b" not in message


def test_long_lists_take_no_more_than_one_pass() -> None:
    lines = "".join(f"{i // 100} ||| w{i} ||| LM0= {i} T= 1 2 3 ||| {-i}\n" for i in range(50_000))
    began = time.process_time()
    found = read_nbest(listed(lines))
    assert time.process_time() - began < 10
    assert len(found.starts) == 500
