"""What is advised, and how it reads."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import indent

import numpy as np
import pandas as pd

from cvstrat.advice._recommend import Recommendation
from cvstrat.advice._remarks import count
from cvstrat.advice._structure import Column, Structure, as_dates, day_first
from cvstrat.splitters import TECHNIQUES

_SHOWN = 5  # classes of many, from either end


@dataclass(frozen=True, eq=False)
class Advice:
    """Advice on a data set; ``str`` makes a text of it.

    Attributes
    ----------
    task : str
        ``classification`` or ``regression``.
    n_rows, n_features, n_splits : int
        Rows that have a target, features, folds.
    largest_n_splits : int
        Largest number of stratified folds that all hold every class; of a numeric target, the number of rows. Where
        rows belong together, groups count in place of rows.
    imbalance : float
        The imbalance index.
    balance : str
        ``balanced``, ``imbalanced``, or empty for a numeric target.
    classes : DataFrame
        A row per class, largest first: ``rows``, ``share``, ``min_rows`` and ``max_rows`` in a stratified fold, the
        rows, or groups, that hold it (``holders``), and the probabilities that a random fold is without it
        (``fold_empty``) and that any of them is (``any_fold_empty``). Of a numeric target, its quantile bins.
    metric : str
        ``accuracy``, ``balanced accuracy`` or ``macro F1``; of a numeric target, ``mean of the target``.
    score : float
        The probability of a right prediction for which the noise is computed.
    noise : DataFrame
        Rows ``random`` and ``stratified``: standard deviation of the metric in a ``fold``, and of the ``mean`` of all
        folds if they were independent. Of a numeric target, that of its mean in a fold, in its standard deviations.
    recommendation : Recommendation or None
        What the cluster-based study says; it has no numeric targets.
    warnings : tuple of str
        What may go wrong with this data set and number of folds, a sentence each.
    structure : Structure
        What says which rows belong together and in which order they were taken, as given or found.
    target : str
        Name of the target.
    """

    task: str
    n_rows: int
    n_features: int
    n_splits: int
    largest_n_splits: int
    imbalance: float
    balance: str
    classes: pd.DataFrame
    metric: str
    score: float
    noise: pd.DataFrame
    recommendation: Recommendation | None
    warnings: tuple[str, ...]
    structure: Structure
    target: str

    @property
    def splitter(self) -> str:
        """The splitter to use, as code."""
        k, found = self.n_splits, self.recommendation
        if self.structure.time:
            return f"TimeSeriesSplit({k})"
        if found and found.clear and not self.structure.groups:
            return f'make_splitter("{found.technique}", n_splits={k}, random_state=0)'
        stratified = "" if self.task == "regression" else "Stratified"
        group = "Group" if self.structure.groups else ""
        return f"{stratified}{group}KFold({k}, shuffle=True, random_state=0)"

    @property
    def code(self) -> str:
        """Lines that score a ``model`` by these folds, on ``X`` and ``y`` or on a frame ``data`` with all columns."""
        time, groups = self.structure.time, self.structure.groups
        before = _sorted_by(time, self.target) if time else []
        values = f"data[{groups.name!r}]" if groups and groups.name else "groups"
        given = f"groups={values}, " if groups and not time else ""
        return "\n".join([*before, f"cross_val_score(model, X, y, {given}cv={self.splitter})"])

    def __str__(self) -> str:
        size = f"{self.n_rows} rows" + (f", {count(self.n_features, 'feature')}" if self.n_features else "")
        parts = _on_numbers(self, size) if self.task == "regression" else _on_classes(self, size)
        if self.warnings:
            parts.append("Warnings\n" + "\n".join(f"  - {warning}" for warning in self.warnings))
        unknown = ["What this cannot know"]
        if not self.structure.groups:
            unknown.append("  whether rows belong together that no column names")
            unknown.append("    (one patient, device, day or author): --groups")
        if not self.structure.time:
            unknown.append("  whether you will predict what comes later than these rows: --time")
        unknown.append("  whether new data will come from where these came from:")
        unknown.append("    if not, no folds of these rows tell the score")
        return "\n\n".join([*parts, "\n".join(unknown)])


def _sorted_by(time: Column, target: str) -> list[str]:
    if not time.name:
        return ["order = np.argsort(time, kind='stable')", "X, y = X[order], y[order]"]
    key = ""
    dates = as_dates(time.values)
    if dates is not None and dates is not time.values:
        options = f"format='mixed', utc=True, errors='coerce', dayfirst={day_first(time.values)}"
        key = f", key=lambda text: pd.to_datetime(text, {options})"
    return [
        f"data = data.sort_values({time.name!r}, kind='stable'{key})",
        f"X, y = data.drop(columns=[{time.name!r}, {target!r}]), data[{target!r}]",
    ]


def _on_classes(advice: Advice, size: str) -> list[str]:
    k, one, mean = advice.n_splits, advice.noise["fold"], advice.noise["mean"]
    return [
        f"{size}, {len(advice.classes)} classes, {advice.balance} (imbalance index {advice.imbalance:.2f})",
        f"Classes in {k} folds\n{_table_of_classes(advice)}",
        f"Folds\n  {_limit(advice)}",
        f"Noise of the {advice.metric} of a fold, if every class is predicted right with probability {advice.score:g}\n"
        f"  standard deviation {one['random']:.4f} in random folds, {one['stratified']:.4f} in stratified ones;\n"
        f"  of the mean of {k} folds about {mean['random']:.4f} and {mean['stratified']:.4f}",
        f"Splitter\n  {_hanging_together(advice) or _by_the_study(advice)}",
    ]


def _on_numbers(advice: Advice, size: str) -> list[str]:
    k, noise = advice.n_splits, advice.noise["fold"]
    default = (
        f"{advice.splitter} is the default. Stratified splitters of this package, such as\n"
        f"  StratifiedClusterKFold({k}, shuffle=True, random_state=0), cut the target into these bins themselves.\n"
        "  The study had classes only."
    )
    return [
        f"{size}, a number to predict: there are no classes to keep in proportion",
        f"Folds\n  {k} of about {advice.n_rows / k:.0f} rows",
        "Noise of the target's mean in a fold\n"
        f"  {noise['random']:.3f} of its standard deviations in random folds, {noise['stratified']:.3f} in folds "
        f"stratified by {len(advice.classes)} quantile bins",
        f"Splitter\n  {_hanging_together(advice) or default}",
    ]


def _limit(advice: Advice) -> str:
    thing = "group" if advice.structure.groups else "row"
    rarest, most = advice.classes["holders"].idxmin(), advice.largest_n_splits
    if most < 2:
        return f"class {rarest} has a single {thing}: no number of folds gives every fold each class"
    return f"at most {most}, so that every stratified fold holds every class: class {rarest} has {most} {thing}s"


def _table_of_classes(advice: Advice) -> str:
    table = advice.classes
    hidden = len(table) - 2 * _SHOWN
    shown = pd.concat([table.iloc[:_SHOWN], table.iloc[-_SHOWN:]]) if hidden > 0 else table
    fewest, most = shown["min_rows"].astype(str), shown["max_rows"].astype(str)
    columns = {
        "class": [f"{name!s:.24}" for name in shown.index],
        "rows": shown["rows"],
        "share": [f"{100 * share:.3g} %" for share in shown["share"]],
        " in a stratified fold": fewest.where(fewest == most, fewest + " to " + most),
        " not in a random fold": shown["fold_empty"].map(_percent),
        f" not in some of {advice.n_splits}": shown["any_fold_empty"].map(_percent),
    }
    lines = pd.DataFrame(columns).to_string(index=False).splitlines()
    if hidden > 0:
        lines.insert(1 + _SHOWN, f"... and {hidden} more ...")
    return indent("\n".join(lines), "  ")


def _percent(probability: float) -> str:
    if probability < 1e-6:
        return "< 0.0001 %"
    return f"{100 * probability:.2g} %" if probability < 0.995 else f"{100 * probability:.0f} %"


def _hanging_together(advice: Advice) -> str:
    """Say why rows must not be dealt singly, and how to cut them; nothing if they may be."""
    time, groups = advice.structure.time, advice.structure.groups
    said = []
    if time:
        said.append(f"{time.name or 'time'} says in which order rows were taken{_why(time)}")
    if groups:
        said.append(f"{groups.name or 'groups'} says which rows belong together{_why(groups)}")
    if not said:
        return ""
    lines = [f"{'; '.join(said)}."]
    code = indent(advice.code, "    ")
    if time:
        lines.append(f"  A row must not be predicted from later ones:\n{code}")
        if groups:
            lines.append("  These folds may still part a group: no splitter here or in scikit-learn heeds both.")
    else:
        lines += [
            f"  A group in the training and the test part gives its rows away. Keep groups whole:\n{code}",
            f"  {advice.splitter.replace('Group', 'Cluster')} keeps them whole, too, and spreads similar ones.",
            "  Counts and noise above are those of rows dealt one by one; whole groups make folds less even.",
        ]
    guessed = [column.name for column in (time, groups) if column and not column.given]
    if guessed:
        lines.append(f"  If {' and '.join(guessed)} says nothing of the kind, leave the column out and ask again.")
    lines.append("  The studies had neither groups nor time: they do not say what is best here.")
    return "\n".join(lines)


def _why(column: Column) -> str:
    return f" (found: {column.why})" if column.why else ""


def _by_the_study(advice: Advice) -> str:
    """Say which technique the cluster-based study speaks for, and show its table."""
    found = advice.recommendation
    assert found is not None  # of classes there is one
    table = found.effects
    if found.clear:
        head = f"{found.technique}: {advice.splitter}, that is {TECHNIQUES[found.technique].splitter.__name__}."
        better = ", ".join(table.index[table["better"]])
        head += f"\n  Clearly better than SCV are {better}." if table["better"].sum() > 1 else ""
    else:
        head = f"SCV, the default: {advice.splitter}.\n"
        head += "  No technique is clearly better; any that is not clearly worse will do."
    if found.stratified:
        head += "\n  (only techniques that keep classes in proportion: random folds may lack one)"
    verdict = np.select([table["better"], table["worse"]], ["better", "worse"], "not clear")
    shown = (100 * table[["difference", "low", "high"]]).map(_signed).assign(**{"against SCV": verdict}).reset_index()
    apart = (table["low"] > 0) | (table["high"] < 0)
    unclear = ", ".join(table.index[apart & ~table["better"] & ~table["worse"]])
    by_luck = (
        f"\n  ({unclear}: the interval excludes zero, yet that is not clear. Of {len(table)} such\n"
        "  intervals some exclude zero by luck; the wider one that allows for this holds zero)"
    )
    return (
        f"{head}\n"
        f"  Source: the cluster-based study on {found.n_datasets} {found.balance} data sets\n"
        f"  ({found.n_pairs} pairs with a model), {found.n_splits} folds:\n"
        f"  root mean squared error of the estimated {found.metric} minus that of SCV,\n"
        "  in points, with 95 % intervals over data sets\n"
        f"{indent(shown.to_string(index=False), '  ')}\n"
        f"  (better or worse: clear even though {len(table)} techniques are compared at once)"
        f"{by_luck if unclear else ''}"
    )


def _signed(value: float) -> str:
    text = f"{value:+.2f}"
    return text if float(text) else text[1:]
