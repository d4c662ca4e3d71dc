"""Analysis plans: read, written, kept with their digest, and binding."""

import hashlib
import json

import pytest
from made import flat, made_corpus

from mtsig import Corpus, MtsigError, Settings, metric
from mtsig.errors import InvalidOption, ReadError
from mtsig.metrics import Bleu
from mtsig.study import Margin, Request, conduct, study_of
from mtsig.study._changes import reproduce
from mtsig.study._request import plan_of, plan_text

TOML = """
metrics = ["bleu", "chrf:word_order=2"]
pairs = [["sys0", "sys2"], ["sys1", "sys2"]]
test = "ar"
alternative = "greater"
correction = "holm"
n_resamples = 300

[equivalence]
bleu = 0.5

[non_inferiority]
bleu = 2
"chrf:word_order=2" = 1.25
"""


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return made_corpus(n=60, systems=3, documents=12)


def test_a_plan_fixes_everything() -> None:
    request = plan_of(TOML).request
    assert request.metrics == (Bleu(), metric("chrf++"))
    assert request.pairs == (("sys0", "sys2"), ("sys1", "sys2"))
    assert request.settings == Settings(test="ar", correction="holm", alternative="greater", n_resamples=300)
    assert request.margins == (
        Margin("bleu", "equivalence", 0.5),
        Margin("bleu", "non-inferiority", 2.0),
        Margin("chrf:word_order=2", "non-inferiority", 1.25),
    )


def test_the_digest_is_that_of_the_file() -> None:
    assert plan_of(TOML.encode()).digest == "sha256:" + hashlib.sha256(TOML.encode()).hexdigest()
    assert plan_of(TOML + "# a word\n").digest != plan_of(TOML).digest


def test_what_was_made_under_a_plan_is_marked_planned_and_carries_its_digest(corpus: Corpus) -> None:
    plan = plan_of(TOML)
    study = study_of(conduct(corpus, plan=plan).text())
    assert study.status == "planned"
    assert study.plain()["plan"]["digest"] == plan.digest
    assert {row["status"] for row in (*flat(study.plain())["comparisons"], *flat(study.plain())["margins"])} == {
        "planned"
    }
    assert study.plan is not None
    assert study.analysis_plan.request == plan.request
    assert reproduce(study, corpus).same


def test_the_same_without_a_plan_is_exploratory_with_the_same_numbers(corpus: Corpus) -> None:
    plan = plan_of(TOML)
    planned, free = conduct(corpus, plan=plan), conduct(corpus, plan.request)
    assert free.status == "exploratory"
    assert {row["status"] for row in flat(free.plain())["comparisons"]} == {"exploratory"}
    for one, other in zip(free.results, planned.results, strict=True):
        expected = one.compared.changed(status="planned")
        assert list(expected) == list(other.compared)


def test_one_sided_tests_take_the_direction_of_the_plan(corpus: Corpus) -> None:
    (one, *_) = conduct(corpus, plan=plan_of(TOML)).results[0].compared
    two_sided = conduct(corpus, Request((Bleu(),), Settings(test="ar", n_resamples=300), (("sys0", "sys2"),)))
    assert one.alternative == "greater"
    assert one.difference > 0
    assert one.p_value <= two_sided.results[0].compared[0].p_value


def test_what_a_plan_fixes_cannot_be_changed_under_it(corpus: Corpus) -> None:
    with pytest.raises(InvalidOption, match="differs from the analysis plan"):
        conduct(corpus, Request((Bleu(),)), plan_of(TOML))


def test_a_study_whose_plan_was_edited_afterwards_is_refused(corpus: Corpus) -> None:
    edited = json.loads(conduct(corpus, plan=plan_of(TOML)).text())
    edited["plan"]["text"] = TOML.replace("0.5", "5")
    with pytest.raises(ReadError, match="it was changed"):
        study_of(json.dumps(edited))
    edited["plan"]["digest"] = plan_of(edited["plan"]["text"]).digest
    with pytest.raises(ReadError, match="differs from the plan"):
        study_of(json.dumps(edited))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("metrics = [", "not valid TOML"),
        ("", "metrics must be a list"),
        ('metrics = "bleu"', "metrics must be a list"),
        ('metrics = ["blue"]', "Did you mean 'bleu'"),
        ('metrics = ["bleu"]\nleval = 0.9', "no key called 'leval'"),
        ('metrics = ["bleu"]\nlevel = 95', "Write 0.95 for 95%"),
        ('metrics = ["bleu"]\npairs = [["a"]]', r"list of \[first, second\]"),
        ('metrics = ["bleu"]\njoined = 1', "true or false"),
        ('metrics = ["bleu"]\nalternative = "greater"', "needs a direction for every pair"),
        ('metrics = ["bleu"]\nequivalence = 0.5', "must be a table"),
        ('metrics = ["bleu"]\n[equivalence]\nchrf = 0.5', "not in metrics"),
        ('metrics = ["bleu"]\n[equivalence]\nbleu = "half"', "number of points"),
        ('metrics = ["bleu"]\n[equivalence]\nbleu = -1', "positive"),
        ('metrics = ["bleu", "bleu"]', "named twice"),
        ('metrics = ["bleu"]\npairs = [["a", "a"]]', "'a' cannot be compared with itself"),
        ('metrics = ["bleu"]\npairs = [["a", "b"], ["b", "a"]]', "'b' and 'a' is listed twice"),
        ('metrics = ["bleu"]\n[sets]\nnames = ["a", "b", "a"]', "test set 'a' is named twice"),
        ("#" * 200_000, "a plan may have"),
    ],
)
def test_what_is_no_plan_is_refused(text: str, said: str) -> None:
    with pytest.raises(MtsigError, match=said):
        plan_of(text, "plan.toml")


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(ReadError, match="is not valid UTF-8"):
        plan_of(b"\xff", "plan.toml")


@pytest.mark.parametrize("pairs", ["all", "ours", (('a "b" \\', "译文\t"), ("x", "y"))])
def test_a_request_becomes_a_plan_and_comes_back(pairs: object) -> None:
    request = Request(
        (metric("bleu:tokenize=zh"), metric("chrf")), Settings(level=0.9, seed=7, unit="segment"), pairs,  # type: ignore[arg-type]
        joined=True, margins=(Margin("chrf", "non-inferiority", 0.75),),
    )  # fmt: skip
    assert plan_of(plan_text(request)).request == request


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('metrics = ["blue"]', "plan.toml: There is no metric called 'blue'. Did you mean 'bleu'?"),
        ('metrics = ["bleu"]\nlevle = 0.9', "plan.toml: there is no key called 'levle'. Did you mean 'level'?"),
        (
            'metrics = ["bleu"]\nlevel = 95',
            "plan.toml: Confidence (level) takes a number from 0.5 to 0.9999; found 95.",
        ),
        ('metrics = ["bleu"]\ntest = "AR"', "plan.toml: Test (test) takes one of auto, bootstrap-koehn, ar,"),
        ('metrics = ["bleu", "bleu"]', "plan.toml: The metric bleu is named twice."),
        ('metrics = ["bleu"]\n[equivalence]\nbleu = -1', "plan.toml: The margin must be a positive number of points"),
        ('metrics = ["bleu"]\nalternative = "less"', "plan.toml: a one-sided test needs a direction"),
    ],
)
def test_a_typo_is_told_with_the_file_and_what_was_meant(text: str, said: str) -> None:
    with pytest.raises(MtsigError) as raised:
        plan_of(text, "plan.toml")
    assert str(raised.value).startswith(said)
