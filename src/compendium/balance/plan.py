"""What was decided before the study was run: comparisons, margin, correction, and how many data sets that takes.

The primary outcome is the root mean squared error of the estimated accuracy, against the accuracy of the model that is
fitted to all rows. It is compared on problems with clusters, balanced classes and 60 or 200 rows, for two learners: one
that the law is derived for (linear discriminant analysis) and one for which it gives a direction only (a tree).
Everything else is exploration, and is called so.

A second family has a claim on trial. Budka and Gabrys (2013) say that density-preserving folds (DPS), dealt once, are
as accurate as cross-validation repeated ten times. Eight such folds are compared with ten times eight and ten times ten
stratified folds: same outcome, cells, learners, margin and correction, on the same data sets. The claim holds in a case
if the errors are equal within the margin, or that of DPS is smaller; it fails if that is larger. Two more comparisons
say what a success is worth: with eight stratified folds dealt once, and with eight balanced ones.

A third family asks whether what the studies found of balanced folds holds for those that the library deals by default.
The studies deal them by features, the library by the energy distance. The outcome is the mean estimated accuracy, by
learner, number of rows, number of folds and balance aimed at. The two are called equal if the joint interval of their
difference lies inside the margin; if not, different if it leaves out zero. With 3000 data sets of each problem and size
the interval of the most variable case, the tree with 60 rows and two folds, is a third of a point to either side.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import norm

from compendium.balance.study import is_primary
from compendium.balance.tables import by_criterion, with_truth
from compendium.words import listed, out_of

COMPARISONS = (
    ("balanced unbiased 2", "SCV 2"),
    ("balanced unbiased 2", "SCV 10"),
    ("balanced unbiased 5", "SCV 5"),
    ("balanced unbiased 5", "SCV 10"),
    ("balanced unbiased 10", "SCV 10"),
    ("SCBCV 2", "SCV 2"),
)
CLAIM = (
    ("DPS 8", "SCV 10 x 10"),
    ("DPS 8", "SCV 10 x 8"),
    ("DPS 8", "SCV 8"),
    ("DPS 8", "balanced unbiased 8"),
)
LEARNERS = ("LDA", "tree")
_CASE = ["n_rows", "learner", "n_splits", "balance"]
MARGIN = 0.5  # percentage points: a smaller difference in error is called none
LEVEL = 0.05
POWER = 0.8


def n_needed(std: float, margin: float = MARGIN, level: float = LEVEL, power: float = POWER) -> int:
    """Return the data sets it takes to show that two errors differ by less than a margin, if they do not differ.

    Parameters
    ----------
    std : float
        Standard deviation over data sets of the difference, in points.
    margin : float
        Two one-sided tests have to exclude differences beyond it.
    level, power : float
        Of each of the two tests, and of both together.
    """
    quantiles = float(norm.ppf(1 - level) + norm.ppf((1 + power) / 2))
    return math.ceil((quantiles * std / margin) ** 2)


def compare(
    estimated: pd.DataFrame,
    truths: pd.DataFrame,
    metric: str = "accuracy",
    comparisons: tuple[tuple[str, str], ...] = COMPARISONS,
) -> pd.DataFrame:
    """Return the planned comparisons: differences of errors, their p-values after Holm, and what is shown.

    Parameters
    ----------
    estimated, truths : DataFrame
        From :func:`compendium.balance.tables.estimates`, and the table of that name.
    metric : str, default="accuracy"
        What is estimated.
    comparisons : tuple of pairs
        One family: ``COMPARISONS`` or ``CLAIM``.

    Returns
    -------
    DataFrame
        A line per comparison, learner and primary cell: ``difference`` in points (below 0 if the first procedure errs
        less), ``se``, ``std`` over data sets, ``p_value`` after Holm's correction over all lines, ``p_equal`` of the
        two one-sided tests, and ``verdict``.
    """
    both = with_truth(estimated, truths, metric)
    found = []
    cell: Any
    for cell, inside in both.groupby(["problem", "n_rows", "minority"], observed=True, sort=False):
        if not is_primary(*cell):
            continue
        for learner in LEARNERS:
            these = inside[inside["learner"] == learner]
            wide = these.pivot_table(index="replicate", columns="procedure", values="error", observed=True)
            named = {**dict(zip(("problem", "n_rows", "minority"), cell, strict=True)), "learner": learner}
            found += [{**named, **_difference(wide, first, second)} for first, second in comparisons]
    table = pd.DataFrame(found)
    raw = 2 * norm.sf(table["difference"].abs() / table["se"])
    order = np.argsort(raw)
    held = np.maximum.accumulate(raw[order] * (len(raw) - np.arange(len(raw))))
    table.loc[order, "p_value"] = np.minimum(held, 1.0)
    table["p_equal"] = norm.sf((MARGIN - table["difference"].abs()) / table["se"])
    return table.assign(verdict=[_verdict(line) for line in table.itertuples()])


def compare_criteria(estimated: pd.DataFrame) -> pd.DataFrame:
    """Return how far estimates from folds by the energy distance are from those by features, with joint intervals.

    Parameters
    ----------
    estimated : DataFrame
        Table ``estimates`` of the study ``balance-criterion``.

    Returns
    -------
    DataFrame
        A line per ``n_rows``, ``learner``, ``n_splits`` and ``balance``: ``difference`` in points (above 0 if folds by
        the energy distance make estimates higher), its ``se``, ``margin`` of the joint interval, and ``verdict``.
    """
    wide = by_criterion(estimated).pivot_table(
        index=["problem", "replicate", *_CASE], columns="criterion", values="estimate", observed=True
    )
    differences = 100 * (wide["energy"] - wide["features"])
    table = differences.groupby(_CASE, observed=True).agg(["mean", "sem"]).set_axis(["difference", "se"], axis=1)
    table["margin"] = norm.isf(LEVEL / 2 / len(table)) * table["se"]
    away = table["difference"].abs()
    different = np.where(table["difference"] > 0, "higher", "lower")
    table["verdict"] = np.where(away > table["margin"], different, "not told")
    table.loc[away + table["margin"] < MARGIN, "verdict"] = "equal"
    return table.reset_index()


def _difference(wide: pd.DataFrame, first: str, second: str) -> dict[str, object]:
    """Return the difference of two errors, with its standard error by linearisation, data set by data set."""
    one, other = wide[first].to_numpy() ** 2, wide[second].to_numpy() ** 2
    roots = np.sqrt([one.mean(), other.mean()])
    std = float(np.std(one / (2 * roots[0]) - other / (2 * roots[1]), ddof=1))
    return {
        "first": first,
        "second": second,
        "difference": float(roots[0] - roots[1]),
        "std": std,
        "se": std / math.sqrt(len(one)),
        "n": len(one),
    }


def _verdict(line: Any) -> str:
    if line.p_value < LEVEL:
        return "smaller" if line.difference < 0 else "larger"
    return "equal" if line.p_equal < LEVEL else "not told"


_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 8: "eight", 10: "ten", 20: "twenty"}
_KINDS = {
    "balanced unbiased": "balanced",
    "SCV": "stratified",
    "SCBCV": "stratified cluster-based",
    "KFold": "random",
    "DPS": "density-preserving",
}


def in_words(procedure: str) -> str:
    """Return the name of a procedure as prose has it, such as ``two balanced folds``."""
    technique, repeats, k = _parsed(procedure)
    times = f"{_NUMBERS.get(repeats, repeats)} times " if repeats > 1 else ""
    return f"{times}{_NUMBERS.get(k, k)} {_KINDS.get(technique, technique)} folds"


def _parsed(procedure: str) -> tuple[str, int, int]:
    """Return technique, repeats and number of folds of a procedure such as ``SCV 10`` or ``SCV 2 x 5``."""
    named, _, number = procedure.rpartition(" ")
    if not named.endswith(" x"):
        return named, 1, int(number)
    technique, _, repeats = named.removesuffix(" x").rpartition(" ")
    return technique, int(repeats), int(number)


def sentence(planned: pd.DataFrame, first: str, second: str) -> str:
    """Return what the planned comparisons of two procedures have shown."""
    these = planned[(planned["first"] == first) & (planned["second"] == second)]
    counts, n = these["verdict"].value_counts(), len(these)
    costs = [repeats * (k - 1) for _, repeats, k in map(_parsed, (first, second))]
    cost = "At the same cost" if costs[0] == costs[1] else f"For {100 * costs[0] / costs[1]:.0f} % of the cost"
    one, other = in_words(first), in_words(second)
    full = {
        "smaller": f"a smaller error than {other}",
        "equal": f"an error equal to that of {other} (within {MARGIN} points)",
        "larger": f"a larger error than {other}",
    }
    short = {"smaller": "a smaller one", "equal": f"an equal one (within {MARGIN} points)", "larger": "a larger one"}
    told = [verdict for verdict in full if verdict in counts]
    if not told:
        return f"{cost}, {one} and {other} cannot be told apart by their error in any of the {n} planned comparisons."
    lead = f"{full[told[0]]} in {out_of(counts[told[0]], n)} planned comparisons"
    shown = listed([lead, *(f"{short[verdict]} in {counts[verdict]}" for verdict in told[1:])])
    left = n - counts[told].sum()
    rest = f"; {left} {'is' if left == 1 else 'are'} open" if left else ""
    return f"{cost}, {one} have {shown}{rest}."


def two_folds_sentence(planned: pd.DataFrame) -> str:
    """Return in how many planned comparisons two folds of each kind err less, or more, than two stratified ones."""
    told = []
    for first, ending in (("SCBCV 2", " planned comparisons"), ("balanced unbiased 2", "")):
        verdicts = planned.loc[(planned["first"] == first) & (planned["second"] == "SCV 2"), "verdict"]
        counts = {side: int((verdicts == side).sum()) for side in ("smaller", "larger")}
        more = f" and a larger one in {counts['larger']}" if counts["larger"] else ""
        than = "a smaller error than two stratified ones" if ending else "one"
        told.append(
            f"{in_words(first).capitalize()} have {than} in {out_of(counts['smaller'], len(verdicts))}{ending}{more}."
        )
    return " ".join(told) if len(planned) else ""


def claim_sentence(claimed: pd.DataFrame) -> str:
    """Return in how many comparisons with repeated folds density-preserving ones, dealt once, kept their promise."""
    lines = claimed[claimed["second"].str.contains(" x ")]
    n, kept = len(lines), lines["verdict"].isin(["smaller", "equal"]).sum()
    failed = lines[lines["verdict"] == "larger"]
    claim = (
        "The claim that density-preserving folds, dealt once, are as accurate as cross-validation repeated ten times"
    )
    told = {"holds": kept, "fails": len(failed), "is left open": n - kept - len(failed)}
    some = [f"{verb} in {count}" for verb, count in told.items() if count]
    shown = f"{listed(some)} of {n}" if len(some) > 1 else f"{some[0].rpartition(' ')[0]} all {n}"
    small = (failed["p_equal"] < LEVEL).sum()
    where = f" In {small} of the failures a test shows that the error is larger by less than {MARGIN} points."
    where = where if small else ""
    return f"{claim} {shown} planned comparisons.{where}"


def stopping_sentence(overall: pd.DataFrame) -> str:
    """Return how e-fold, which stops early, does against the number of folds that costs as much or less.

    Parameters
    ----------
    overall : DataFrame
        ``rmse`` and ``cost`` by procedure, with ``e-fold`` and ``SCV 5`` among them.
    """
    stopped, fixed = overall.loc["e-fold"], overall.loc["SCV 5"]
    more = stopped["rmse"] > fixed["rmse"]
    dearer = stopped["cost"] > fixed["cost"]
    link = "and" if more == dearer else "but"
    share = 100 * stopped["cost"] / 9  # that of all ten folds
    why = f" It stops a run of ten folds, so that about {share:.0f} % of the rows are tested; fixed folds test all."
    return (
        f"E-fold, which stops early, errs {'more' if more else 'less'} than five fixed folds {link} costs "
        f"{'more' if dearer else 'less'}: {stopped['rmse']:.1f} points at a cost of {stopped['cost']:.1f} data sets, "
        f"against {fixed['rmse']:.1f} at {fixed['cost']:.1f}.{why if more else ''}"
    )
