"""One thread of linear algebra: these tests make many small products, which threads only slow down."""

from collections.abc import Iterator

import pytest
from threadpoolctl import threadpool_limits


@pytest.fixture(scope="package", autouse=True)
def one_thread() -> Iterator[None]:
    with threadpool_limits(1):
        yield
