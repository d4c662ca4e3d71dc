"""Spread: how far parameters of the model would move on other documents, or with other raters.

A cluster tells only of the systems that it compares, t of them with the place and ties: its information is a t × t
matrix, and what is left without it is solved in t dimensions, so that many small clusters cost little.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.sparse import csc_array

from mtsig._probability import satterthwaite_df
from mtsig._records import Floats, Index
from mtsig.errors import NotApplicable
from mtsig.preference._data import alike
from mtsig.preference._model import Fit, Moments, grouped_information, grouped_scores

_BLOCK = 2**23
"""Numbers that are held at once: 64 MB."""

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

    def _blocks(self) -> Iterator[tuple[Index, Index, Floats, Floats]]:
        """Yield clusters that touch as many parameters t: which, these parameters, scores and information of these.

        Shapes (n,), (n, t), (n, t) and (n, t, t).
        """
        fit, cells, size = self.fit, self.fit.cells, len(self.fit.values)
        common = np.arange(cells.systems, size)
        own = [self.of * size + system for system in (cells.first, cells.second)]
        keys = np.unique(np.concatenate([*own, *(np.arange(self.clusters) * size + one for one in common)]))
        touched = np.bincount(keys // size, minlength=self.clusters)
        begins = np.cumsum(touched) - touched
        local = [np.searchsorted(keys, one) - begins[self.of] for one in own]
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
            some = replace(some, systems=t - len(common), first=local[0][rows], second=local[1][rows])
            group = rank[self.of[rows]] - start
            yield (
                here,
                keys[begins[here][:, None] + np.arange(t)] % size,
                grouped_scores(some, fit.place, fit.ties, moments, group, len(here)),
                grouped_information(some, fit.place, fit.ties, moments, group, len(here)),
            )
            start = stop

    def moved(self) -> Iterator[tuple[Index, Floats]]:
        """Yield clusters, and δ of each: shape (n, p), δ_d = −(H − H_d)⁻¹ (S_d − S̄).

        S̄ is 0 at a maximum; a penalty moves it. With T the parameters that d touches, h = H_d there, C = H⁻¹ there and
        g = H⁻¹ S̄, δ_d = g − H⁻¹ (1 − h C)⁻¹ (S_d − h g), of H⁻¹ the columns T, of g the rows.

        Raises
        ------
        NothingLeft
            One cluster holds all that is known of some parameter.
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
        size, found = len(self.fit.values), list[float]()
        for some in _few(contrasts, self.clusters):
            shares = np.zeros((self.clusters, some.shape[1]))
            for here, at, _, own in self._blocks():
                step = max(1, _BLOCK // size**2)
                for rows in (slice(start, start + step) for start in range(0, len(here), step)):
                    known = self._inverse[at[rows]]
                    shares[here[rows]] = _quadratic(known.transpose(0, 2, 1) @ own[rows] @ known, some)
            found += [satterthwaite_df(share) for share in np.maximum(shares, 0).T]
        return np.array(found)

    def errors(self, contrasts: csc_array) -> Floats:
        """Return the standard errors of contrasts, shape (p, m) → (m,)."""
        squares = [some.T.multiply(some.T @ self.variance).sum(axis=1) for some in _few(contrasts, len(self.variance))]
        return np.asarray(np.sqrt(np.maximum(np.concatenate(squares), 0)))


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
    step = max(1, _BLOCK // rows)
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
