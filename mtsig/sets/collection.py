"""Sets: named test sets go in, a collection of them, and what a metric counted on each, come out."""

import re
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import Literal

from mtsig.corpus import Corpus, Note, counted_names, listed, number_of
from mtsig.errors import InvalidOption, MtsigError, NotApplicable, UnknownName, expect
from mtsig.limits import Limits, limits, within
from mtsig.metrics import AUTO, Metric, Statistics, Tokenizing, default_metrics, metric
from mtsig.metrics import measure as measure_corpus
from mtsig.progress import done_in_order

Sharing = Literal["shared", "separate"]
"""Whether what occurs in several sets is one unit in all of them, or another one in each."""

_TARGET = re.compile(r"(?:^|[^a-z])[a-z]{2,3}(?:_[a-z]+)*-(zh|ja|ko)(?:_[a-z]+)*(?![a-z])", re.IGNORECASE)


@dataclass(frozen=True, eq=False, repr=False)
class Sets(Mapping[str, Corpus]):
    """J named test sets, each a corpus of its own; systems are matched by their names.

    skipped: sets that could not be read and were left out on purpose, with the reason.
    """

    corpora: Mapping[str, Corpus]
    skipped: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, corpora: Mapping[str, Corpus], called: Mapping[str, Mapping[str, str]] | None = None) -> "Sets":
        """Return the collection of these sets.

        >>> import mtsig
        >>> corpus = mtsig.read_sample()
        >>> Sets.of({"2024": corpus, "2025": corpus}, called={"baseline": {"2024": "direct", "2025": "direct-us"}})
        <Sets: 2 sets (2024, 2025)>

        Args:
            corpora: name -> corpus.
            called: what a system is called here -> its name in the sets that call it otherwise.

        Raises:
            NotApplicable: there is no set.
            UnknownName: `called` names a set or a system that is not there.
            InvalidOption: a set is no corpus, or has a system of the new name already.
        """
        if not corpora:
            raise NotApplicable("There is no test set. Give at least one, as NAME=PATH.")
        for name, corpus in corpora.items():
            expect(corpus, Corpus, f"Set {name!r} must be a corpus, as read(PATH) makes it")
        renamed: dict[str, dict[str, str]] = {}
        for system, names in (called or {}).items():
            for name, own in names.items():
                if name not in corpora:
                    raise UnknownName(f"There is no test set called {name!r}. Known: {', '.join(corpora)}.")
                renamed.setdefault(name, {})[own] = system
        return cls({name: _renamed(name, corpus, renamed.get(name, {})) for name, corpus in corpora.items()})

    def __getitem__(self, name: str) -> Corpus:
        """Return the set of this name."""
        if name not in self.corpora:
            raise UnknownName(f"There is no test set called {name!r}. Known: {', '.join(self.corpora)}.")
        return self.corpora[name]

    def __contains__(self, name: object) -> bool:
        """Return whether there is a set of this name."""
        return name in self.corpora

    def __iter__(self) -> Iterator[str]:
        """Go through the names."""
        return iter(self.corpora)

    def __len__(self) -> int:
        """Return the number of sets."""
        return len(self.corpora)

    def __repr__(self) -> str:
        """Return how many there are, and the first names."""
        return f"<Sets: {counted_names('set', self.corpora)}>"

    @property
    def notes(self) -> tuple[Note, ...]:
        """Which sets were left out, and why."""
        if not self.skipped:
            return ()
        said = "; ".join(f"{name}: {why}" for name, why in self.skipped.items())
        return (Note("warning", f"{number_of(len(self.skipped), 'set')} could not be read and was left out ({said})."),)


def _renamed(name: str, corpus: Corpus, called: Mapping[str, str]) -> Corpus:
    for own, system in called.items():
        if own not in corpus.systems:
            known = ", ".join(corpus.systems)
            raise UnknownName(f"{name}: there is no system called {own!r}. Known: {known}.")
        if system in corpus.systems and system != own:
            raise InvalidOption(f"{name}: {own!r} cannot be called {system!r}, as another system is.")
    systems = {called.get(system, system): runs for system, runs in corpus.systems.items()}
    return replace(corpus, systems=systems) if called else corpus


@dataclass(frozen=True, eq=False, repr=False)
class SetStatistics:
    """What one metric counted on every set; options may differ from set to set, the metric may not.

    sets: the collection. of: name -> statistics by segment. sharing: whether what occurs in several sets is one unit.
    """

    sets: Sets
    of: Mapping[str, Statistics]
    sharing: Sharing = "shared"

    def __repr__(self) -> str:
        """Return the metric and the sets, in one line."""
        return f"<SetStatistics of {self.metric}: {counted_names('set', self.of)}>"

    @property
    def metric(self) -> str:
        """The metric's name."""
        return next(iter(self.of.values())).metric.name

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems of all sets, as they first appear."""
        return tuple(dict.fromkeys(system for part in self.of.values() for system in part.systems))

    @property
    def signature(self) -> str:
        """The metric's signature; where sets differ, each with the sets that it is of."""
        signatures: dict[str, list[str]] = {}
        for name, part in self.of.items():
            signatures.setdefault(part.signature, []).append(name)
        if len(signatures) == 1:
            return next(iter(signatures))
        return "; ".join(f"{listed(names)}: {signature}" for signature, names in signatures.items())


def measure(
    sets: Sets,
    metric_or_name: str | Metric | None = None,
    *,
    own: Mapping[str, str | Metric] | None = None,
    sharing: Sharing = "shared",
    executor: Executor | None = None,
) -> SetStatistics:
    """Return what a metric counts on every set.

    >>> import mtsig
    >>> sets = Sets.of({"a": mtsig.read_sample(), "b": mtsig.read_sample()})
    >>> measure(sets, "chrf")
    <SetStatistics of chrF2: 2 sets (a, b)>

    Args:
        sets: the collection.
        metric_or_name: as `mtsig.measure` takes it; BLEU, or the only rating, when None. Where the tokenizer is left
            open and a set's name says that its target language is Chinese, Japanese or Korean, it is that language's.
        own: the metric with other options for some sets, by their names.
        sharing: "separate" takes what occurs in several sets as another unit in each.
        executor: counts the sets, each a job of its own, to the same digits.

    Raises:
        as `mtsig.measure`, with the name of the set; InvalidOption: the metrics of two sets are not the same.
    """
    expect(sets, Sets, "Give a collection of test sets, as Sets.of({name: corpus}) makes it")
    own = own or {}
    for name in own:
        sets[name]  # an unknown name is refused before anything is counted
    jobs = [(name, corpus, own.get(name, metric_or_name), limits()) for name, corpus in sets.items()]
    counted = dict(zip(sets, done_in_order(_measured, jobs, executor), strict=True))
    _check_one_metric(counted)
    return SetStatistics(sets, counted, sharing)


def _measured(job: tuple[str, Corpus, str | Metric | None, Limits]) -> Statistics:
    name, corpus, choice, most = job
    try:
        with within(most):
            chosen = metric(default_metrics(corpus)[0] if choice is None else choice, corpus.ratings)
            return measure_corpus(corpus, metric_of_set(chosen, name))
    except MtsigError as error:
        raise type(error)(f"{name}: {error}") from None


def metric_of_set(chosen: Metric, name: str) -> Metric:
    """Return the metric told of the target language that a set's name says, where that chooses its tokenizer.

    >>> import mtsig
    >>> from mtsig.sets import metric_of_set
    >>> metric_of_set(mtsig.metric("bleu"), "en-zh").trg_lang
    'zh'
    """
    said = _TARGET.search(name)
    if said is None or not isinstance(chosen, Tokenizing) or chosen.tokenize != AUTO or chosen.trg_lang:
        return chosen
    return replace(chosen, trg_lang=said[1].lower())


def _check_one_metric(statistics: Mapping[str, Statistics]) -> None:
    """Raise InvalidOption where sets were counted by metrics that are no longer one."""
    (first, first_statistics), *others = statistics.items()
    for name, other in others:
        if (other.metric.name, other.metric.higher_is_better) != (
            first_statistics.metric.name,
            first_statistics.metric.higher_is_better,
        ):
            said = [f"{_direction(m.metric)} in {at}" for at, m in ((first, first_statistics), (name, other))]
            raise InvalidOption(f"Sets are compared by one metric; found {said[0]} and {said[1]}.")


def _direction(chosen: Metric) -> str:
    return f"{chosen.name} ({'higher' if chosen.higher_is_better else 'lower'} is better)"


def names_with(statistics: SetStatistics, systems: Iterable[str]) -> list[str]:
    """Return the sets that have all of these systems."""
    wanted = set(systems)
    return [name for name, part in statistics.of.items() if wanted <= set(part.systems)]
