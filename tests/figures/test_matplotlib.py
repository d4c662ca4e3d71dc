"""Pictures written to files: the same picture gives the same bytes."""

from pathlib import Path

from made import made_statistics

from mtsig import Settings
from mtsig.figures import Matrix
from mtsig.figures._paper import write_picture


def test_the_same_picture_gives_the_same_page(tmp_path: Path) -> None:
    drawn = Matrix.of(Settings(n_resamples=50).family(made_statistics()))
    pages = []
    for folder in ("one", "other"):
        (tmp_path / folder).mkdir()
        (page, *_), _ = write_picture(drawn, tmp_path / folder / "matrix", formats=())
        pages.append(page.read_bytes())
    assert pages[0] == pages[1]
