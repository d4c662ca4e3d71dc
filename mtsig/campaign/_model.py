"""Strengths: judgements go in, a strength for every system by maximum likelihood comes out.

Davidson's model (1970) with an advantage of the place shown first (Davidson and Beaver 1977): with
θ = λ_first − λ_second + η the first wins, ties and loses with probabilities proportional to e^{θ/2}, ν and e^{−θ/2};
without ties it is the model of Bradley and Terry (1952).

How far parameters would move on other documents, or with other raters: a cluster tells only of the systems that it
compares, t of them with the place and ties: its information is a t × t matrix, and what is left without it is solved
in t dimensions, so that many small clusters cost little.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from scipy.sparse import coo_array, csc_array
from scipy.sparse.csgraph import connected_components
from scipy.special import xlogy

from mtsig._records import Floats, Index, Mask
from mtsig.campaign._data import Preferences, alike
from mtsig.corpus._notes import listed
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference._estimated import df_by_decided, df_of

Model = Literal["davidson", "half"]
Penalty = Literal["auto", "always", "never"]

_STEP, _STEPS = 1e-12, 200
"""Newton's method ends at a step this small, and fails after so many."""

_FAR = 12.0
"""Strengths further from the mean than this come from data that hold hardly anything against a system."""


@dataclass(frozen=True, eq=False)
class Cells:
    """Judgements that are alike, counted: every column has shape (cells,).

    A cell has a document, a rater, the two systems as shown, whether that order is known, the outcome and how many
    judgements there are.
    """

    systems: int
    document: Index
    rater: Index
    first: Index
    second: Index
    ordered: Mask
    outcome: Floats
    count: Floats

    @classmethod
    def of(cls, judged: Preferences) -> "Cells":
        """Return the cells of judgements with a verdict."""
        columns = judged.document.of, judged.rater.of, judged.first, judged.second, judged.ordered, judged.outcome
        return cls(len(judged.systems), *columns, np.ones(len(judged))).merged()

    def where(self, rows: Mask | Index) -> "Cells":
        """Return some of the cells."""
        columns = {name: values[rows] for name, values in vars(self).items() if name != "systems"}
        return Cells(self.systems, **columns)

    def merged(self, clusters: bool = True) -> "Cells":
        """Return cells that are alike as one; without `clusters` whatever their document and rater."""
        outcome = np.unique(self.outcome, return_inverse=True)[1]
        kinds = [self.first, self.second, self.ordered.astype(np.int64), outcome]
        first, of = alike([self.document, self.rater, *kinds] if clusters else kinds)
        return replace(self.where(first), count=np.bincount(of, self.count).astype(np.float64))


@dataclass(frozen=True, eq=False)
class Fit:
    """A fitted model.

    values: the parameters: s strengths λ that sum to 0, then η where `place`, then log ν where `ties`. information:
    shape (p, p), with a row of strengths that sum to 0 made regular by adding 1 (which no contrast sees).
    """

    cells: Cells
    place: bool
    ties: bool
    values: Floats
    information: Floats
    loglik: float
    penalised: bool = False

    @property
    def strengths(self) -> Floats:
        """λ of every system; shape (s,)."""
        return self.values[: self.cells.systems]

    @property
    def advantage(self) -> float:
        """η, the advantage of the first place; NaN where it is not in the model."""
        return float(self.values[self.cells.systems]) if self.place else float("nan")

    @property
    def log_tie(self) -> float:
        """Log ν; NaN without ties."""
        return float(self.values[-1]) if self.ties else float("nan")

    def shares(self, difference: float) -> tuple[float, float, float]:
        """Return P(win), P(tie) and P(loss) at a difference of strengths, neither shown first."""
        tie = np.exp(self.log_tie) if self.ties else 0.0
        weights = np.array([np.exp(difference / 2), tie, np.exp(-difference / 2)])
        win, tied, loss = (weights / weights.sum()).tolist()
        return win, tied, loss


@dataclass(frozen=True, eq=False)
class Moments:
    """What the model expects of each cell at given parameters; shape (cells,) each."""

    win: Floats
    tie: Floats
    loss: Floats

    @classmethod
    def at(cls, cells: Cells, place: bool, ties: bool, values: Floats, more: Floats | float = 0.0) -> "Moments":
        """Return the probabilities of win, tie and loss; more: what θ of each cell has beside."""
        theta = values[cells.first] - values[cells.second] + more
        if place:
            theta = theta + values[cells.systems] * cells.ordered
        tie = np.full(theta.shape, values[-1] if ties else -np.inf)
        logs = np.stack([theta / 2, tie, -theta / 2])
        logs -= np.logaddexp.reduce(logs, axis=0)
        win, tied, loss = np.exp(logs)
        return cls(win, tied, loss)

    @property
    def mean(self) -> Floats:
        """E d."""
        return self.win - self.loss

    @property
    def variance(self) -> Floats:
        """Var d."""
        return self.win + self.loss - np.square(self.mean)

    def information(self, count: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the information of so many judgements on θ twice, on θ and log ν, and on log ν twice."""
        return count * self.variance / 4, -count * self.mean * self.tie / 2, count * self.tie * (1 - self.tie)


def _likelihood(cells: Cells, moments: Moments) -> float:
    """Return Σ log p; a fraction counts as a half win and half loss in its proportion."""
    share = (cells.outcome + 1) / 2
    decided = xlogy(share, moments.win) + xlogy(1 - share, moments.loss)
    tied = (cells.outcome == 0) & (moments.tie > 0)
    return float(cells.count @ np.where(tied, xlogy(1, moments.tie), decided))


def scores_of(cells: Cells, place: bool, ties: bool, moments: Moments) -> list[tuple[Index | int, Floats]]:
    """Return the derivatives of every cell's log likelihood, as (parameter of each cell, derivative) pairs."""
    own = cells.count * (cells.outcome - moments.mean) / 2
    found: list[tuple[Index | int, Floats]] = [(cells.first, own), (cells.second, -own)]
    if place:
        found.append((cells.systems, own * cells.ordered))
    if ties:
        found.append((cells.systems + place, cells.count * ((cells.outcome == 0) - moments.tie)))
    return found


def grouped_scores(cells: Cells, place: bool, ties: bool, moments: Moments, group: Index, groups: int) -> Floats:
    """Return the score vector of every group of cells; shape (groups, p)."""
    size = cells.systems + place + ties
    total = np.zeros(groups * size)
    for at, values in scores_of(cells, place, ties, moments):
        total += np.bincount(group * size + at, values, minlength=groups * size)
    return total.reshape(groups, size)


def signed(cells: Cells, place: bool) -> list[tuple[Index, Floats]]:
    """Return what θ of every cell is the sum of: parameters, and what they count."""
    one = np.ones(len(cells.first))
    x = [(cells.first, one), (cells.second, -one)]
    return [*x, (np.full_like(cells.first, cells.systems), cells.ordered * one)] if place else x


def grouped_information(cells: Cells, place: bool, ties: bool, moments: Moments, group: Index, groups: int) -> Floats:
    """Return the information matrix of every group of cells; shape (groups, p, p)."""
    size = cells.systems + place + ties
    a, b, c = moments.information(cells.count)
    x = signed(cells, place)
    entries: list[tuple[Index | int, Index | int, Floats]] = [(i, j, a * u * v) for i, u in x for j, v in x]
    if ties:
        tau = cells.systems + place
        entries += [(i, tau, b * u) for i, u in x] + [(tau, i, b * u) for i, u in x]
        entries.append((tau, tau, c))
    at = np.concatenate([(group * size + i) * size + j for i, j, _ in entries])
    total = np.bincount(at, np.concatenate([values for _, _, values in entries]), groups * size * size)
    return np.asarray(total.reshape(groups, size, size), dtype=np.float64)


def regular(information: Floats, systems: int) -> Floats:
    """Return information that can be inverted: only differences of strengths are identified, so 1 is added to all."""
    made = information.copy()
    made[..., :systems, :systems] += 1.0
    return made


def _penalty(cells: Cells, place: bool, ties: bool, moments: Moments, inverse: Floats) -> Floats:
    """Return the derivative of ½ log det I, by the third cumulants of (d/2, whether it is a tie) (Firth 1993)."""
    win, tie, loss, mean = moments.win, moments.tie, moments.loss, moments.mean
    x = signed(cells, place)
    spread = [sum(u * v * inverse[i, j] for i, u in x for j, v in x)]
    if ties:
        spread += [sum(u * inverse[i, -1] for i, u in x), np.full(len(win), inverse[-1, -1])]
    # Centred values of the two statistics at win, tie and loss.
    values = [(np.stack([0.5 - mean / 2, -mean / 2, -0.5 - mean / 2])), (np.stack([-tie, 1 - tie, -tie]))]
    shares = np.stack([win, tie, loss])
    pairs = [(0, 0), (0, 1), (1, 1)] if ties else [(0, 0)]
    by = [
        sum(
            (2 if i != j else 1) * q * (shares * values[c] * values[i] * values[j]).sum(axis=0)
            for (i, j), q in zip(pairs, spread, strict=True)
        )
        for c in range(1 + ties)
    ]
    gradient = np.zeros(len(inverse))
    for i, u in x:
        np.add.at(gradient, i, cells.count * by[0] / 2 * u)
    if ties:
        gradient[-1] += float(cells.count @ by[1]) / 2
    return np.asarray(gradient)


def fit(judged: Cells, place: bool, ties: bool, penalised: bool = False) -> Fit:
    """Return the model by maximum likelihood, or by Firth's penalised likelihood.

    Raise NotApplicable where no maximum is reached.
    """
    try:
        return _fitted(judged, place, ties, penalised)
    except np.linalg.LinAlgError:
        raise NotApplicable("The strengths could not be estimated: the judgements do not determine them.") from None


def _fitted(judged: Cells, place: bool, ties: bool, penalised: bool) -> Fit:
    cells = judged.merged(clusters=False)
    size = cells.systems + place + ties
    values, zero = np.zeros(size), np.zeros(len(cells.first), dtype=np.int64)
    if ties:
        share = float(cells.count @ (cells.outcome == 0) / cells.count.sum())
        values[-1] = np.log(2 * share / (1 - share)) if share < 1 else 0.0

    def state(at: Floats) -> tuple[float, Moments, Floats]:
        moments = Moments.at(cells, place, ties, at)
        information = regular(grouped_information(cells, place, ties, moments, zero, 1)[0], cells.systems)
        reached = _likelihood(cells, moments)
        if penalised:
            reached += np.linalg.slogdet(information)[1] / 2
        return reached, moments, information

    reached, moments, information = state(values)
    for _ in range(_STEPS):
        gradient = grouped_scores(cells, place, ties, moments, zero, 1)[0]
        if penalised:
            gradient = gradient + _penalty(
                cells, place, ties, moments, np.asarray(np.linalg.inv(information), dtype=np.float64)
            )
        step = np.linalg.solve(information, gradient)
        for _ in range(40):
            tried = state(values + step)
            if tried[0] >= reached - 1e-12 * abs(reached):
                break
            step = step / 2
        values = values + step
        reached, moments, information = tried
        if np.abs(step).max() < _STEP:
            break
    else:
        raise NotApplicable("The strengths could not be estimated, because the likelihood has no finite maximum.")
    return Fit(judged, place, ties, values, information, _likelihood(cells, moments), penalised)


# --- what data can tell -------------------------------------------------------------------------------------------


def check_connected(preferences: Preferences, cells: Cells) -> None:
    """Raise NotApplicable where the compared pairs leave the systems in parts, without a common scale."""
    parts = components(cells)
    if len(parts) > 1:
        named = [", ".join(preferences.systems[i] for i in part) for part in parts]
        raise NotApplicable(
            f"No comparison connects {' with '.join(named)}, so they have no common scale. Analyse each group on its "
            "own: choose its systems."
        )


def components(cells: Cells) -> list[list[int]]:
    """Return the systems that comparisons connect, part by part."""
    return _parts(cells.systems, cells.first, cells.second, directed=False)


def separated(cells: Cells) -> list[list[int]]:
    """Return the parts between which all decided judgements go one way; one where strengths are finite (Ford 1957).

    The order is that of `systems`.
    """
    won, lost = cells.outcome > -1, cells.outcome < 1
    from_, to = (
        np.concatenate([cells.first[won], cells.second[lost]]),
        np.concatenate([cells.second[won], cells.first[lost]]),
    )
    return _parts(cells.systems, from_, to, directed=True)


def _parts(systems: int, from_: Index, to: Index, directed: bool) -> list[list[int]]:
    graph = coo_array((np.ones(len(from_)), (from_, to)), shape=(systems, systems))
    count, of = connected_components(graph, directed=directed, connection="strong")
    parts = [np.flatnonzero(of == part).tolist() for part in range(count)]
    return sorted(parts)


def as_place(cells: Cells) -> Floats:
    """Return strengths, shape (s,), that would look like an advantage of the first place; 0 where none do.

    Some do where one system was always shown first: the advantage cannot be told from its strength.
    """
    shown, size = cells.merged(clusters=False), cells.systems
    place, met = shown.ordered.astype(float), np.zeros((size, size))
    np.add.at(met, (shown.first, shown.second), 1.0)
    met += met.T
    own = np.bincount(shown.first, place, size) - np.bincount(shown.second, place, size)
    strengths = np.linalg.solve(regular(np.diag(met.sum(axis=0)) - met, size), own)
    explains = np.allclose(strengths[shown.first] - strengths[shown.second], place, rtol=0, atol=1e-9)
    return np.asarray(strengths * explains)


@dataclass(frozen=True, eq=False)
class Chosen:
    """A fitted model, and what to say of how it was chosen.

    as_place: strengths, shape (s,), that look like an advantage of the first place, which the model leaves out.
    """

    fit: Fit
    said: tuple[str, ...]
    as_place: Floats


def chosen(
    preferences: Preferences,
    model: Model = "davidson",
    order: Literal["auto", "ignore"] = "auto",
    penalty: Penalty = "auto",
) -> Chosen:
    """Return the model of judgements with a verdict.

    Raise NotApplicable where nothing can be ranked (only ties, no common scale, or no maximum where no penalty is
    wanted), and InvalidOption where fractions are asked to be wins, ties and losses.
    """
    cells, said = Cells.of(preferences), []
    if model == "davidson" and preferences.fractional:
        raise InvalidOption(
            "Davidson's model needs wins, ties and losses, but some verdicts are fractions. Use model='half' "
            "(--strengths half), or head-to-head comparisons only (--strengths direct)."
        )
    if not cells.outcome.any():
        raise NotApplicable(
            "Every judgement is a tie, so the systems cannot be ranked. Compare pairs directly (--strengths direct)."
        )
    check_connected(preferences, cells)
    ties = model == "davidson" and bool((cells.outcome == 0).any())
    place, alone = order == "auto" and bool(cells.ordered.any()), np.zeros(cells.systems)
    if place and (alone := as_place(cells)).any():
        place = False
        whose = [preferences.systems[i] for i in np.flatnonzero(np.abs(alone - np.median(alone)) > 1e-9)]
        said.append(
            f"The orders shown do not distinguish the strength of {listed(whose)} from an advantage of being shown "
            "first. Strengths are computed as if there were no such advantage."
        )
    parts = separated(cells)
    penalised = penalty == "always"
    if len(parts) > 1 and penalty != "always":
        names = listed([" and ".join(preferences.systems[i] for i in part) for part in parts])
        if penalty == "never":
            raise NotApplicable(
                f"Between {names}, all judgements that are not ties favour the same side. Without a penalty, the "
                "estimate of their distance is infinite."
            )
        penalised = True
    if not penalised:
        try:
            made = fit(cells, place, ties)
            penalised = penalty == "auto" and float(np.abs(made.values).max()) > _FAR
        except NotApplicable:
            # All decided judgements of one order go one way: the advantage of a place has no finite estimate.
            if penalty == "never":
                raise
            penalised = True
    if penalised:
        made = fit(cells, place, ties, penalised=True)
        unbeaten = [
            preferences.systems[i]
            for i in range(cells.systems)
            if not ((cells.first == i) & (cells.outcome < 1)).any()
            and not ((cells.second == i) & (cells.outcome > -1)).any()
        ]
        who = f"{listed(unbeaten)} never lost or tied" if unbeaten else "some systems never lost to the others"
        if len(parts) == 1 and not unbeaten:
            who = "all judgements of one kind favour the same side"
        if penalty == "auto":
            said.append(f"Estimated by penalised likelihood, because {who}. True distances may be larger than shown.")
    return Chosen(made, tuple(said), alone)


_BLOCK = 2**21
"""Numbers that are held at once: 16 MB, which are also faster than more."""

_SINGULAR = 1e-9
"""Information below this share of all is none."""


@dataclass(frozen=True, eq=False)
class Clustered:
    """The model's parameters without each cluster in turn, by one Newton step (no refit, so none can fail).

    clusters: how many there are. of: shape (cells,), the cluster of every cell.
    """

    fit: Fit
    clusters: int
    of: Index

    @cached_property
    def _inverse(self) -> Floats:
        return np.asarray(np.linalg.inv(self.fit.information))

    @cached_property
    def _touched(self) -> tuple[Index, Index, Index, list[Index]]:
        """Which parameters each cluster touches, cluster by cluster; where its own begin, and how many there are.

        And which of its own the two systems of each cell are.
        """
        cells, size = self.fit.cells, len(self.fit.values)
        common = np.arange(cells.systems, size)
        own = [self.of * size + system for system in (cells.first, cells.second)]
        keys = np.sort(np.concatenate([*own, *(np.arange(self.clusters) * size + one for one in common)]))
        keys = keys[np.diff(keys, prepend=-1) > 0]
        touched = np.bincount(keys // size, minlength=self.clusters)
        begins = np.cumsum(touched) - touched
        return keys % size, begins, touched, [np.searchsorted(keys, one) - begins[self.of] for one in own]

    def _blocks(self) -> Iterator[tuple[Index, Index, Floats, Floats]]:
        """Yield clusters that touch as many parameters t: which, these parameters, scores and information of these.

        Shapes (n,), (n, t), (n, t) and (n, t, t).
        """
        fit, cells, size = self.fit, self.fit.cells, len(self.fit.values)
        parameters, begins, touched, local = self._touched
        common = size - cells.systems
        by_size = np.argsort(touched, kind="stable")
        rank = np.argsort(by_size)
        order = np.argsort(rank[self.of], kind="stable")
        ranked = rank[self.of[order]]
        start = 0
        while start < self.clusters:
            t = int(touched[by_size[start]])
            same = int(np.searchsorted(touched[by_size], t, "right"))
            stop = min(same, start + max(1, _BLOCK // (t * size)))
            here = by_size[start:stop]
            rows = order[np.searchsorted(ranked, start) : np.searchsorted(ranked, stop)]
            some = cells.where(rows)
            moments = Moments.at(some, fit.place, fit.ties, fit.values)
            some = replace(some, systems=t - common, first=local[0][rows], second=local[1][rows])
            group = rank[self.of[rows]] - start
            yield (
                here,
                parameters[begins[here][:, None] + np.arange(t)],
                grouped_scores(some, fit.place, fit.ties, moments, group, len(here)),
                grouped_information(some, fit.place, fit.ties, moments, group, len(here)),
            )
            start = stop

    def moved(self) -> Iterator[tuple[Index, Floats]]:
        """Yield clusters, and δ of each: shape (n, p), δ_d = −(H − H_d)⁻¹ (S_d − S̄).

        S̄ is 0 at a maximum; a penalty moves it. With T the parameters that d touches, h = H_d there, C = H⁻¹ there and
        g = H⁻¹ S̄, δ_d = g − H⁻¹ (1 − h C)⁻¹ (S_d − h g), of H⁻¹ the columns T, of g the rows. Raise NothingLeft where
        one cluster holds all that is known of some parameter.
        """
        fit, inverse = self.fit, self._inverse
        moments = Moments.at(fit.cells, fit.place, fit.ties, fit.values)
        every = np.zeros(len(fit.cells.first), dtype=np.int64)
        total = grouped_scores(fit.cells, fit.place, fit.ties, moments, every, 1)[0]
        base = inverse @ total / self.clusters
        for here, at, score, own in self._blocks():
            known = inverse[at[:, :, None], at[:, None, :]]
            root = np.linalg.cholesky(known)
            left = np.eye(at.shape[1]) - root.transpose(0, 2, 1) @ own @ root
            try:
                share = np.square(np.diagonal(np.linalg.cholesky(left), axis1=1, axis2=2)).min(axis=1)
            except np.linalg.LinAlgError:
                share = np.linalg.eigvalsh(left)[:, 0]
            if np.any(share < _SINGULAR):
                raise NothingLeft(int(here[np.argmax(share < _SINGULAR)]))
            right = score - np.einsum("nij,nj->ni", own, base[at])
            solved = np.linalg.solve(np.eye(at.shape[1]) - own @ known, right[:, :, None])[..., 0]
            yield here, base - np.einsum("nt,ntp->np", solved, inverse[at])

    @cached_property
    def variance(self) -> Floats:
        """(K − 1)/K Σ δ δᵀ; shape (p, p)."""
        total = np.zeros_like(self.fit.information)
        for _, moved in self.moved():
            total += moved.T @ moved
        return np.asarray((self.clusters - 1) / self.clusters * total)

    def df(self, contrasts: csc_array) -> Floats:
        """Return ν of contrasts c, shape (p, m): clusters count by their share of the information, cᵀH⁻¹ H_d H⁻¹c."""
        size, found = len(self.fit.values), list[Floats]()
        for some in _few(contrasts, self.clusters):
            shares = np.zeros((some.shape[1], self.clusters))
            for here, at, _, own in self._blocks():
                step = max(1, _BLOCK // size**2)
                for rows in (slice(start, start + step) for start in range(0, len(here), step)):
                    known = self._inverse[at[rows]]
                    shares[:, here[rows]] = _quadratic(known.transpose(0, 2, 1) @ own[rows] @ known, some).T
            found.append(df_of(np.maximum(shares, 0, out=shares)))
        return np.concatenate(found)

    def known_df(self, contrasts: csc_array) -> tuple[Floats, Floats]:
        """Return ν of contrasts by what is decided, as `df_by_decided`, and ν of decided judgements alone."""
        rows, values, fit = self.fit.cells.outcome != 0, self.fit.values.copy(), self.fit
        if fit.ties:
            values[-1] = -np.inf
        clusters, of = np.unique(self.of[rows], return_inverse=True)
        decided = Clustered(replace(fit, cells=fit.cells.where(rows), values=values), len(clusters), of)
        worth = decided.df(contrasts)
        return df_by_decided(self.df(contrasts), worth), worth

    def errors(self, contrasts: csc_array) -> Floats:
        """Return the standard errors of contrasts, shape (p, m) → (m,)."""
        squares = [some.T.multiply(some.T @ self.variance).sum(axis=1) for some in _few(contrasts, len(self.variance))]
        return np.asarray(np.sqrt(np.maximum(np.concatenate(squares), 0)))

    def model_errors(self, contrasts: csc_array) -> Floats:
        """Return their standard errors as if all judgements were independent."""
        return np.asarray(np.sqrt(_quadratic(self._inverse[None], contrasts)[0]))


def _quadratic(matrices: Floats, contrasts: csc_array) -> Floats:
    """Return cᵀMc of each contrast and each matrix, shape (n, p, p) → (n, m); those of two parameters are looked up."""
    if (np.diff(contrasts.indptr) == 2).all():
        (i, j), (u, v) = contrasts.indices.reshape(-1, 2).T, contrasts.data.reshape(-1, 2).T
        twice = 2 * u * v * matrices[:, i, j]
        return np.asarray(u**2 * matrices[:, i, i] + twice + v**2 * matrices[:, j, j])
    dense = contrasts.toarray()
    return np.asarray(((matrices @ dense) * dense).sum(axis=1))


def _few(contrasts: csc_array, rows: int) -> Iterator[csc_array]:
    """Yield the columns, so many at once as make a block with that many rows."""
    step = max(1, 2 * _BLOCK // rows)  # every part goes through all clusters anew
    return (contrasts[:, start : start + step] for start in range(0, contrasts.shape[1], step))


class NothingLeft(NotApplicable):
    """One cluster holds all that is known of something; `cluster` is its number."""

    def __init__(self, cluster: int) -> None:
        super().__init__("All judgements of some systems are in one cluster.")
        self.cluster = cluster


def by_both(fit: Fit) -> Clustered:
    """Return the spread over what one rater judged of one document."""
    first, of = alike([fit.cells.document, fit.cells.rater])
    return Clustered(fit, len(first), of)
