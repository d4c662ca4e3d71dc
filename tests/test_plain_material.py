"""What plain material is refused for says what to do, in words of Python and not of numpy."""

import numpy as np
import pandas as pd
import pytest
from layouts import made

from mtsig import compare
from mtsig.errors import InvalidOption

TEXTS = made(12)


def test_a_column_that_numbers_items_or_is_about_them_is_no_system() -> None:
    counting = {name: range(first, first + 12) for name in ("id", "", "Unnamed: 0", "row") for first in (0, 1)}
    of_items = {
        "uid": [7 * i % 97 for i in range(12)], "year": [2000 + i // 2 for i in range(12)], "fold": [2] * 12,
        "time": [1.7e9 + 3.3 * i for i in range(12)], "rater": [1, 2] * 6, "doc_id": range(12), "segment": range(12),
    }  # fmt: skip
    for name, numbers in {**counting, **of_items}.items():
        frame = pd.DataFrame({name: numbers, "alpha": np.arange(12) % 5, "beta": np.arange(12) % 7}).astype(
            {"alpha": float, "beta": float} if name not in counting else {}
        )
        with pytest.raises(InvalidOption, match=r"is about them, so it is not a system\. Leave it out"):
            compare(frame, higher_is_better=True)
    assert compare(pd.DataFrame({"2024": np.arange(12) % 5, "2025": np.arange(12) % 7}), higher_is_better=True)


def test_a_list_for_every_item_is_to_be_turned() -> None:
    references = [[line, f"Also: {line}"] for line in TEXTS["ref"]]
    with pytest.raises(InvalidOption, match="Turn it: one list per reference"):
        compare({"alpha": TEXTS["alpha"]}, references=references, metrics=["bleu"])
    turned = list(zip(*references, strict=True))
    assert compare({name: TEXTS[name] for name in ("alpha", "beta")}, references=turned, metrics=["chrf"])


@pytest.mark.parametrize("item", [np.float64(2.5), np.int64(3), np.float32(1)])
def test_what_numpy_wraps_is_shown_as_python_has_it(item: object) -> None:
    with pytest.raises(InvalidOption) as caught:
        compare({"alpha": ["a text", item]}, references=["a text", "another"], metrics=["bleu"])
    assert "np." not in str(caught.value)
    with pytest.raises(InvalidOption) as caught:
        compare({"alpha": [1.0, np.float64(1e300)]}, higher_is_better=True)
    assert "np." not in str(caught.value)
