"""The page Trust: who is held against whom, what is said of it, and what it asks for where something is missing."""

import numpy as np
from pages import at_page, figures, texts, uploaded

SYSTEMS = [f"sys{s}" for s in range(8)]


def table(name: str, shift: float, noise: float, seed: int = 3, n: int = 40, systems: tuple[str, ...] = ()) -> bytes:
    """Scores of made systems, each a little worse than the one before."""
    rng = np.random.default_rng(seed)
    rows = [f"system\tseg_id\t{name}"]
    for s, system in enumerate(systems or SYSTEMS):
        rows += [f"{system}\t{i}\t{-shift * s - 10 + noise * rng.normal():.3f}" for i in range(1, n + 1)]
    return ("\n".join(rows) + "\n").encode()


RATED = {
    "mqm.tsv": table("mqm", 1.0, 0.5),
    "comet.tsv": table("COMET", 1.0, 0.5, 4),
    "bleurt.tsv": table("BLEURT", 0, 1, 5),
}


def opened(files: dict[str, bytes], **said: object):
    at = uploaded(files)
    at.session_state["draws"] = 200
    for key, value in said.items():
        at.session_state[key] = value
    return at_page(at, "trust")


def test_metrics_are_held_against_people_in_one_sentence():
    at = opened(RATED)
    assert not at.error, [one.value for one in at.error]
    said = texts(at)
    assert "On these 8 systems no metric is shown better than COMET, and COMET is shown better than BLEURT" in said
    assert "COMET and people agree in sign on 28 of 28 pairs (100%" in said
    dots, *matrices = figures(at)
    assert len(matrices) == 2
    assert dots["layout"]["yaxis"]["ticktext"] == ["COMET", "BLEURT"]
    assert "Other systems like these" in said
