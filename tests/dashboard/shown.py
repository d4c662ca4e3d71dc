"""Everything that a page shows, piece by piece: also what stands in tooltips, in boxes to choose from, in figures."""

import json
import re
from collections.abc import Iterator
from typing import Any

from google.protobuf.json_format import MessageToDict
from pandas import DataFrame
from streamlit.testing.v1 import AppTest

from mtsig.inference import CORRECTIONS, INTERVALS, TESTS
from mtsig.meta_eval import STATISTICS
from mtsig.metrics import METRICS

_WIRING = {
    "arrowData", "componentName", "cssContent", "data", "deferredFileId", "formId", "htmlContent", "id", "jsContent",
    "key", "page", "pageScriptHash", "queryParamKey", "type", "type_config", "url",
}  # fmt: skip
"""What elements carry for the browser, and no one reads."""

_READ = ("name", "text", "title", "ticktext", "hovertext", "hovertemplate", "customdata", "label", "header")
"""What is read of a figure's description."""


def pieces(at: AppTest) -> Iterator[str]:
    """Yield every text of a page, without Markdown's escapes; what is to be copied is none."""
    for element in at.main:
        if element.type != "code":
            yield from (re.sub(r"\\(\W)", r"\1", piece) for piece in _of_element(element))
    for block in _blocks(at.main):
        yield from _texts(MessageToDict(block.proto))


def _blocks(block: Any) -> Iterator[Any]:
    """Yield the blocks inside a block that have words of their own: tabs, popovers, sections."""
    for child in getattr(block, "children", {}).values():
        if hasattr(child, "children"):
            if getattr(child, "proto", None) is not None:
                yield child
            yield from _blocks(child)


def _of_element(element: Any) -> Iterator[str]:
    if element.type == "plotly_chart":
        yield from _drawn(json.loads(element.proto.spec))
        return
    value = getattr(element, "value", None)
    if isinstance(value, DataFrame):
        table = value.reset_index()
        yield from map(str, table.columns)
        yield from (cell for name in range(table.shape[1]) for cell in table.iloc[:, name] if isinstance(cell, str))
    proto = getattr(element, "proto", None)
    for text in () if proto is None else _texts(MessageToDict(proto)):
        # What a tag says is not read; what stands between tags is.
        yield from (one for one in re.split(r"<[^>]*>", text) if one.strip()) if element.type == "html" else (text,)


def _texts(found: Any) -> Iterator[str]:
    if isinstance(found, str):
        yield found
    elif isinstance(found, list):
        for one in found:
            yield from _texts(one)
    elif isinstance(found, dict):
        for name, one in found.items():
            if name == "columns" and isinstance(one, str):
                # How the columns of a table that can be written in are shown.
                for column in json.loads(one).values():
                    yield from _texts({**column, **column.get("type_config", {})})
            elif name not in _WIRING:
                yield from _texts(one)


def _drawn(found: Any) -> Iterator[str]:
    """Yield what is read in a part of a figure's description."""
    if isinstance(found, list):
        for one in found:
            yield from _drawn(one)
    elif isinstance(found, dict):
        for name, one in found.items():
            yield from _texts(one) if name in _READ else _drawn(one)


WORDS = {
    "accuracy", "basic", "by", "jackknife", "none", "normal", "per", "percentile", "precision", "ratio", "sacrebleu",
    "sign", "simultaneous", "t",
}  # fmt: skip
"""Codes that are words too: they may stand in a sentence."""

CODES = {name for table in (TESTS, INTERVALS, CORRECTIONS, METRICS, STATISTICS) for name in table}

CODE = re.compile(
    r"(?<![\w/.=:-])("
    + "|".join(sorted(map(re.escape, CODES - WORDS), key=len, reverse=True))
    + r"|[a-z]+_[a-z_]+)(?![\w:=/+-]|\.\w)"
)
"""A code in a text, or a name as programs have them."""


def codes(at: AppTest) -> Iterator[str]:
    """Yield the codes that a page shows, each with what stands around it."""
    for box in (*at.selectbox, *at.multiselect):
        # Alone it is no word of a sentence; that there is no tokenizer is one.
        yield from (CODES - {"none"}) & {*box.options}
    for piece in pieces(at):
        # A signature is one word with bars in it.
        said = " ".join(word for word in piece.split() if "|" not in word)
        for found in CODE.finditer(said):
            yield f"{found[0]}: …{said[max(0, found.start() - 60) : found.end() + 60]}…"
