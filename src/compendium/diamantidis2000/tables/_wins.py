"""The paper's Table 4: how often each technique wins, and how often it would if all were alike."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from compendium.datasets import published
from compendium.diamantidis2000.study._spec import PAPER_TECHNIQUES
from compendium.diamantidis2000.tables._estimates import PRINTED, accuracy_table, estimate_table
from compendium.words import listed

_CLAIMED, _RIVAL = "CL-CV", "RS-CV"


def best_table(accuracies: pd.DataFrame) -> pd.DataFrame:
    """Return the paper's Table 4: how often each technique has the best mean, standard deviation, or both.

    Parameters
    ----------
    accuracies : DataFrame
        From :func:`accuracy_table`. As in the paper, the highest mean accuracy and the smallest standard deviation
        over the samples win, compared as printed, with two decimals; all that share a first place have won.

    Returns
    -------
    DataFrame
        A row per ``source`` and ``technique``: wins by accuracy (``bias``), by standard deviation (``variance``) and by
        ``both``, and the number of ``cases``. Published wins are there as printed and as ``recounted`` from the
        published Table 3.
    """
    counted = accuracies.assign(source=accuracies["source"].replace(PRINTED, "recounted"))
    counted[["accuracy", "std"]] = counted[["accuracy", "std"]].round(2)
    case = counted.groupby(["source", "dataset", "n_splits"])
    counted["bias"] = counted["accuracy"] == case["accuracy"].transform("max")
    counted["variance"] = counted["std"] == case["std"].transform("min")
    counted["both"] = counted["bias"] & counted["variance"]
    wins = counted.groupby(["source", "technique"], sort=False)[["both", "bias", "variance"]].sum()
    wins["cases"] = counted.groupby(["source", "technique"], sort=False).size()
    printed = published("diamantidis2000_table4").assign(source=PRINTED, cases=28)
    return pd.concat([printed, wins.reset_index()], ignore_index=True)[
        ["source", "technique", "both", "bias", "variance", "cases"]
    ]


def wins_if_alike(
    samples: pd.DataFrame, learners: str | Sequence[str], *, n_shuffles: int = 500, random_state: int = 0
) -> pd.DataFrame:
    """Return how many wins a technique gets if the four cannot be told apart.

    The names of the techniques are shuffled within each sample, for all learners and numbers of folds alike, and
    Table 4 is counted again: its cases share their samples, and so does what chance does to them.

    Parameters
    ----------
    samples : DataFrame
        From :func:`estimates_of_samples`.
    learners : str or sequence of str
        Learner whose estimates are counted, or several, whose wins are added up: values of the column ``learner``.
    n_shuffles : int, default=500
        How often the names are shuffled, at least 1.
    random_state : int, default=0
        Seed of the shuffles.

    Returns
    -------
    DataFrame
        For ``both``, ``bias`` and ``variance``: the ``mean`` number of wins, ``low`` and ``high``, between which that
        of a technique lies in 95 % of the shuffles, and ``most``, which not even the largest of the four exceeds in
        95 % of them.
    """
    names = list(PAPER_TECHNIQUES)
    counted = [learners] if isinstance(learners, str) else list(learners)
    chosen = samples[samples["learner"].isin(counted) & samples["technique"].isin(names)]
    cell = ["dataset", "learner", "n_splits", "sample"]
    wide = chosen.pivot(index=cell, columns="technique", values="accuracy")[names].dropna()
    blocks = [
        part.to_numpy().reshape(-1, part.index.get_level_values("sample").nunique(), len(names))
        for _, part in wide.groupby("dataset", sort=False)
    ]
    rng = np.random.default_rng(random_state)
    found = np.zeros((n_shuffles, 3, len(names)))
    for shuffle in range(n_shuffles):
        for block in blocks:
            mixed = np.take_along_axis(block, rng.random((1, *block.shape[1:])).argsort(axis=-1), axis=-1)
            accuracy, std = mixed.mean(axis=1).round(2), mixed.std(axis=1, ddof=1).round(2)
            high = accuracy == accuracy.max(axis=1, keepdims=True)
            small = std == std.min(axis=1, keepdims=True)
            found[shuffle] += [(high & small).sum(axis=0), high.sum(axis=0), small.sum(axis=0)]
    flat = np.moveaxis(found, 1, 0).reshape(3, -1)
    low, high_end = np.quantile(flat, [0.025, 0.975], axis=1)
    ends = {"low": low, "high": high_end, "most": np.quantile(found.max(axis=-1), 0.95, axis=0)}
    index = pd.Index(["both", "bias", "variance"], name="wins")
    return pd.DataFrame({"mean": flat.mean(axis=1), **ends}, index=index).reset_index()


def total_wins(samples: pd.DataFrame, *, n_shuffles: int = 500, random_state: int = 0) -> pd.DataFrame:
    """Return the wins for bias of each technique over all learners, beside what chance allows.

    Parameters
    ----------
    samples : DataFrame
        From :func:`estimates_of_samples`.
    n_shuffles, random_state
        As in :func:`wins_if_alike`.

    Returns
    -------
    DataFrame
        A row per technique of the paper: ``wins`` of ``cases`` with the highest mean accuracy, as :func:`best_table`
        counts them; ``low``, ``high`` and ``most`` of :func:`wins_if_alike` over all learners; ``dataset``, the one on
        which it wins most often, and how often it does so ``there``.
    """
    accuracies = accuracy_table(estimate_table(samples))
    ours = accuracies[accuracies["source"] != PRINTED].assign(accuracy=accuracies["accuracy"].round(2))
    first = ours.groupby(["source", "dataset", "n_splits"])["accuracy"].transform("max")
    won = ours.assign(won=ours["accuracy"] == first).pivot_table("won", "dataset", "technique", aggfunc="sum")
    won = won[list(PAPER_TECHNIQUES)]
    cases = len(ours.drop_duplicates(["source", "dataset", "n_splits"]))
    learners = list(ours["source"].unique())
    alike = wins_if_alike(samples, learners, n_shuffles=n_shuffles, random_state=random_state).set_index("wins")
    found = pd.DataFrame({"wins": won.sum(), "cases": cases}).assign(**alike.loc["bias", ["low", "high", "most"]])
    return found.assign(dataset=won.idxmax(), there=won.max()).rename_axis("technique").reset_index()


def total_text(samples: pd.DataFrame, totals: pd.DataFrame, *, n_shuffles: int = 500, random_state: int = 0) -> str:
    """Return, in sentences, whether CL-CV and RS-CV win more often than chance allows, and on which data set.

    Parameters
    ----------
    samples : DataFrame
        From :func:`estimates_of_samples`.
    totals : DataFrame
        From :func:`total_wins`.
    n_shuffles, random_state
        As in :func:`wins_if_alike`.
    """
    lines = totals.set_index("technique").to_dict("index")
    sides = {name: _side(lines[name]) for name in (_RIVAL, _CLAIMED)}
    low, high = (f"{totals[end].iloc[0]:.0f}" for end in ("low", "high"))
    start = f"If all four techniques were alike, each would win {low} to {high} cases with a probability of 95 %."
    if sides[_RIVAL] == sides[_CLAIMED]:
        said = f"Both counts lie {sides[_RIVAL]} these limits."
    else:
        said = f"{_RIVAL} lies {sides[_RIVAL]} these limits, {_CLAIMED} {sides[_CLAIMED]} them."
    more = []
    for name in (name for name, side in sides.items() if side == "above"):
        rest = samples[samples["dataset"] != lines[name]["dataset"]]
        if len(rest):
            found = total_wins(rest, n_shuffles=n_shuffles, random_state=random_state)
            more.append(_without(name, lines[name], found.set_index("technique").to_dict("index")[name]))
    return " ".join([start, said, *more])


def pair_text(gains: pd.DataFrame, technique: str, reference: str) -> str:
    """Return, in a sentence, in how many cases one technique's mean accuracy is clearly above another's, and below.

    Parameters
    ----------
    gains : DataFrame
        From :func:`gain_table` of the two; published rows are left out.
    technique, reference : str
        Their names.
    """
    ours = gains[gains["source"] != PRINTED]
    above, below = (_where(rows, len(ours)) for rows in (ours[ours["joint_low"] > 0], ours[ours["joint_high"] < 0]))
    start = f"By intervals that hold for all {len(ours)} cases at once, the mean accuracy of {technique} is"
    if above == below == "none":
        return f"{start} clearly different from that of {reference} in none."
    return f"{start} clearly above that of {reference} in {above} and clearly below it in {below}."


def _where(cases: pd.DataFrame, total: int) -> str:
    names = [str(name).rpartition("/")[2] for name in cases["dataset"].unique()]
    every = "all on" if len(cases) > 1 and len(names) == 1 else "on"
    return f"{len(cases)} of the {total} ({every} {listed(names)})" if names else "none"


def _without(name: str, line: dict[Hashable, Any], rest: dict[Hashable, Any]) -> str:
    """Return what is left of a lead without the data set that gives most to it."""
    where = str(line["dataset"]).rpartition("/")[2]
    return (
        f"{name} has {line['there']} of the {line['cases'] - rest['cases']} cases of {where}; on the other data sets "
        f"it has {rest['wins']} of {rest['cases']}, where chance allows {rest['low']:.0f} to {rest['high']:.0f}."
    )


def _side(line: dict[Hashable, Any]) -> str:
    return "above" if line["wins"] > line["high"] else "below" if line["wins"] < line["low"] else "within"
