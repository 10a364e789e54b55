"""The papers' names, and one way to make any of their splitters."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.model_selection import BaseCrossValidator
from sklearn.utils import check_random_state

from cvstrat.checks import check_count, did_you_mean
from cvstrat.errors import InputError
from cvstrat.splitters._balanced import BalancedKFold
from cvstrat.splitters._centers import CenteredClusterKFold, OneCenterKFold
from cvstrat.splitters._clusters import ClusterBlockKFold, ClusterKFold, StratifiedClusterKFold
from cvstrat.splitters._neighbors import NeighborhoodKFold, NeighborWalkKFold
from cvstrat.splitters._plain import PlainKFold, PlainStratifiedKFold


@dataclass(frozen=True)
class Technique:
    """A technique as the literature names it: its splitter, fixed options, and the keywords it uses.

    Attributes
    ----------
    name, summary : str
        As the papers write it, with hyphens for spaces; and what it does, in a few words.
    splitter, fixed : type, dict
        Class of the splitter, and options that make the class this technique.
    uses : tuple of str
        Keywords of :func:`cvstrat.make_splitter` that it uses, besides `n_splits` and `n_repeats`.
    stratified, deterministic : bool
        Whether it keeps the shares of the classes, and whether nothing in it is random: neither shuffled nor seeded.
    cite : str
        Key in the bibliography; empty for an addition of ours.
    """

    name: str
    splitter: Callable[..., Any]
    fixed: dict[str, Any]
    uses: tuple[str, ...]
    stratified: bool
    deterministic: bool
    cite: str
    summary: str


_SEED = ("shuffle", "random_state")
_STRATA = ("strata", "n_bins", *_SEED)
_COUNT = ("n_clusters", *_SEED)
_BOTH = ("n_clusters", *_STRATA)
_DENSITY = ("eps", "min_samples", *_SEED)
_BALANCE = ("balance", "order", "scale", "criterion")
_ROWS: tuple[tuple[Any, ...], ...] = (
    ("KFold", PlainKFold, {}, _SEED, "stone1974", "at random"),
    ("SCV", PlainStratifiedKFold, {}, _STRATA, "kohavi1995", "class by class, at random inside"),
    ("KCBCV", ClusterKFold, {"clusterer": "kmeans"}, _COUNT, "fontanari2022", "cluster by cluster (K-means)"),
    ("KCBCV-Mini", ClusterKFold, {"clusterer": "minibatch"}, _COUNT, "fontanari2022", "Mini-Batch K-means"),
    ("ACBCV", ClusterKFold, {"clusterer": "agglomerative"}, _COUNT, "spezia2025", "agglomerative clusters"),
    ("DBSCANBCV", ClusterKFold, {"clusterer": "dbscan"}, _DENSITY, "spezia2025", "density-based clusters"),
    ("SpectralBCV", ClusterKFold, {"clusterer": "spectral"}, _COUNT, "", "spectral clusters"),
    ("SCBCV", StratifiedClusterKFold, {"clusterer": "kmeans"}, _BOTH, "spezia2025", "class, then cluster"),
    ("SCBCV-Mini", StratifiedClusterKFold, {"clusterer": "minibatch"}, _BOTH, "spezia2025", "Mini-Batch K-means"),
    ("1C-CV", OneCenterKFold, {}, ("categorical",), "diamantidis2000", "by distance to one centre"),
    ("CL-CV", CenteredClusterKFold, {}, ("n_clusters", "categorical"), "diamantidis2000", "clusters around centres"),
    ("DBSCV", NeighborWalkKFold, {}, _STRATA, "zeng2000", "class by class, a walk along neighbours"),
    ("DOB-SCV", NeighborhoodKFold, {}, _STRATA, "morenotorres2012", "class by class, by neighbourhoods"),
    ("Balanced", BalancedKFold, {}, (*_BALANCE, *_STRATA), "", "class by class, as alike as asked for"),
    ("ROCBCV", ClusterBlockKFold, {}, _SEED, "spezia2025", "a cluster is a fold"),
)

TECHNIQUES: dict[str, Technique] = {
    name: Technique(name, kind, fixed, uses, "strata" in uses, "shuffle" not in uses, cite, summary)
    for name, kind, fixed, uses, cite, summary in _ROWS
}


def make_splitter(
    name: str,
    *,
    n_splits: int = 5,
    n_clusters: int | None = None,
    eps: float | None = None,
    min_samples: int | None = None,
    categorical: Any = None,
    strata: Any = None,
    n_bins: int | None = None,
    balance: Any = "unbiased",
    order: Any = "random",
    scale: Any = None,
    criterion: str = "auto",
    shuffle: bool = True,
    random_state: Any = None,
    n_repeats: int | None = None,
    **unknown: Any,
) -> Any:
    """Make a splitter by the name the literature gives it; one set of keywords for all techniques.

    Every technique accepts all of them, so that one call serves all; those that are not in ``TECHNIQUES[name].uses``
    change nothing. Any other keyword is an error.

    Parameters
    ----------
    name : str
        A key of ``TECHNIQUES``, such as ``"SCBCV-Mini"``.
    n_splits : int, default=5
        Number of folds.
    n_clusters : int, default=None
        Number of clusters; None estimates it. Used by KCBCV, KCBCV-Mini, ACBCV, SpectralBCV, SCBCV, SCBCV-Mini, CL-CV.
    eps, min_samples : float, int, default=None
        Parameters of DBSCAN; None estimates them. Used by DBSCANBCV.
    categorical : optional
        Discrete columns, as a mask or a list. Used by 1C-CV and CL-CV.
    strata, n_bins : optional
        What is spread evenly instead of the classes of the target, and number of bins of quantities. Used by SCV,
        SCBCV, SCBCV-Mini, DBSCV, DOB-SCV and Balanced: see :class:`cvstrat.StratifiedClusterKFold`.
    balance, order, scale, criterion : optional
        How alike folds are made, in which order rows are dealt, and at which scale and by what folds are alike: see
        :class:`cvstrat.BalancedKFold`. Used by Balanced.
    shuffle : bool, default=True
        Whether what the technique leaves open is drawn at random. The classes themselves do not shuffle unless they are
        told to, as in scikit-learn; the literature's techniques do. Used by all but 1C-CV and CL-CV.
    random_state : int, RandomState instance or None, default=None
        Seed of `shuffle`.
    n_repeats : int, default=None
        If given, the folds are made that many times, with another seed each time: see :class:`cvstrat.RepeatedSplits`.
        Refused where nothing is random: for 1C-CV and CL-CV, and with ``shuffle=False``.

    Returns
    -------
    splitter
        SCV and KFold are scikit-learn's own ``StratifiedKFold`` and ``KFold``, made to take groups and, SCV, what the
        other stratified techniques take.

    Examples
    --------
    >>> from cvstrat import make_splitter
    >>> make_splitter("SCBCV-Mini", n_splits=10, n_clusters=4, random_state=0)
    StratifiedClusterKFold(clusterer='minibatch', eps=None, min_samples=None,
                n_bins=None, n_clusters=4, n_splits=10, random_state=0,
                shuffle=True, standardize=False, strata=None)
    """
    if name not in TECHNIQUES:
        raise InputError(f"no technique {name!r}: {did_you_mean(name, TECHNIQUES, cutoff=0.3)}")
    for key in unknown:
        known = [one for one in inspect.signature(make_splitter).parameters if one not in ("name", "unknown")]
        raise TypeError(f"{name} takes no keyword {key!r}: {did_you_mean(key, known)}")
    if n_repeats is not None and not shuffle:
        raise InputError(f"n_repeats={n_repeats} needs shuffle=True: every repetition would be the same")
    technique = TECHNIQUES[name]
    given = {
        "n_clusters": n_clusters,
        "eps": eps,
        "min_samples": min_samples,
        "categorical": categorical,
        "strata": strata,
        "n_bins": n_bins,
        "balance": balance,
        "order": order,
        "scale": scale,
        "criterion": criterion,
        "shuffle": shuffle,
        "random_state": random_state if shuffle else None,
    }
    splitter = technique.splitter(n_splits, **technique.fixed, **{key: given[key] for key in technique.uses})
    return splitter if n_repeats is None else RepeatedSplits(splitter, n_repeats=n_repeats, random_state=random_state)


class RepeatedSplits(BaseCrossValidator, BaseEstimator):  # type: ignore[misc]
    """A splitter used several times, each time with another seed.

    Parameters
    ----------
    splitter : splitter with ``shuffle`` and ``random_state``
        One of this package's or of scikit-learn's; copied for each repetition.
    n_repeats : int, default=10
        Number of repetitions, at least 1.
    random_state : int, RandomState instance or None, default=None
        Where the seeds of the repetitions come from.

    Examples
    --------
    >>> from cvstrat import ClusterKFold, RepeatedSplits
    >>> cv = RepeatedSplits(ClusterKFold(5, n_clusters=3), n_repeats=4, random_state=0)
    >>> cv.get_n_splits()
    20
    """

    __metadata_request__split = {"groups": True}  # noqa: RUF012 (a declaration of scikit-learn's)

    def __init__(self, splitter: Any, *, n_repeats: int = 10, random_state: Any = None) -> None:
        if not {"shuffle", "random_state"} <= set(vars(splitter)):
            raise InputError(f"nothing in {splitter!r} is random: every repetition would be the same")
        self.splitter = splitter
        self.n_repeats = n_repeats
        self.random_state = random_state
        check_count("n_repeats", self.n_repeats, 1)

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Generate the splits of all repetitions, one after the other; as in the splitter itself."""
        check_count("n_repeats", self.n_repeats, 1)
        rng = check_random_state(self.random_state)
        for _ in range(self.n_repeats):
            one = copy.deepcopy(self.splitter)
            one.shuffle, one.random_state = True, int(rng.randint(np.iinfo(np.int32).max))
            yield from one.split(X, y, groups)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits in all repetitions."""
        return int(self.n_repeats * self.splitter.get_n_splits(X, y, groups))
