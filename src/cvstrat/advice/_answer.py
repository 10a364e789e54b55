"""What is advised, and how it reads."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from cvstrat.advice._recommend import Recommendation
from cvstrat.advice._remarks import count
from cvstrat.advice._structure import Column, Structure, as_dates, day_first
from cvstrat.splitters import TECHNIQUES

_SHOWN = 5

_TOGETHER = "  whether rows belong together that no column names\n    (one patient, device, day or author): --groups"
_WHENCE = "  whether new data will come from where these came from:\n    if not, no folds of these rows tell the score"


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
        A row per class, largest first: ``rows``, ``share``, ``min_rows`` and ``max_rows`` in a stratified fold, and the
        probabilities that a random fold is without it (``fold_empty``) and that any of them is (``any_fold_empty``),
        and how many rows, or groups, hold it (``holders``). Of a numeric target, the quantile bins by which splitters
        here stratify it.
    metric : str
        The score of interest, as the text names it: ``accuracy``, ``balanced accuracy`` or ``macro F1``;
        of a numeric target, ``mean of the target``.
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
        k, seed = self.n_splits, "shuffle=True, random_state=0"
        if self.structure.time:
            return f"TimeSeriesSplit({k})"
        if self.structure.groups:
            return f"{'GroupKFold' if self.task == 'regression' else 'StratifiedGroupKFold'}({k}, {seed})"
        if self.recommendation and self.recommendation.clear:
            return f'make_splitter("{self.recommendation.technique}", n_splits={k}, random_state=0)'
        return f"{'KFold' if self.task == 'regression' else 'StratifiedKFold'}({k}, {seed})"

    @property
    def code(self) -> str:
        """Lines that score a ``model`` by these folds, on ``X`` and ``y`` or on a frame ``data`` with all columns."""
        time, groups = self.structure.time, self.structure.groups
        if time:
            return "\n".join([*_sorted_by(time, self.target), f"cross_val_score(model, X, y, cv={self.splitter})"])
        if groups:
            values = f"data[{groups.name!r}]" if groups.name else "groups"
            return f"cross_val_score(model, X, y, groups={values}, cv={self.splitter})"
        return f"cross_val_score(model, X, y, cv={self.splitter})"

    def __str__(self) -> str:
        parts = _regression_parts(self) if self.task == "regression" else _classification_parts(self)
        if self.warnings:
            parts.append("Warnings\n" + "\n".join(f"  - {warning}" for warning in self.warnings))
        return "\n\n".join([*parts, _unknown(self.structure)])


def _sorted_by(time: Column, target: str) -> list[str]:
    if not time.name:
        return ["order = np.argsort(time, kind='stable')", "X, y = X[order], y[order]"]
    key = ""
    dates = as_dates(time.values)
    if dates is not None and dates is not time.values:
        key = f", key=lambda text: pd.to_datetime(text, dayfirst={day_first(time.values)})"
    return [
        f"data = data.sort_values({time.name!r}, kind='stable'{key})",
        f"X, y = data.drop(columns=[{time.name!r}, {target!r}]), data[{target!r}]",
    ]


def _unknown(structure: Structure) -> str:
    lines = ["What this cannot know"]
    if not structure.groups:
        lines.append(_TOGETHER)
    if not structure.time:
        lines.append("  whether you will predict what comes later than these rows: --time")
    return "\n".join([*lines, _WHENCE])


def _classification_parts(advice: Advice) -> list[str]:
    k, noise = advice.n_splits, advice.noise
    one, mean = noise["fold"], noise["mean"]
    features = f", {count(advice.n_features, 'feature')}" if advice.n_features else ""
    return [
        f"{advice.n_rows} rows{features}, {len(advice.classes)} classes, {advice.balance} "
        f"(imbalance index {advice.imbalance:.2f})",
        f"Classes in {k} folds\n{_class_lines(advice)}",
        _limit(advice),
        f"Noise of the {advice.metric} of a fold, if every class is predicted right with probability {advice.score:g}\n"
        f"  standard deviation {one['random']:.4f} in random folds, {one['stratified']:.4f} in stratified ones;\n"
        f"  of the mean of {k} folds about {mean['random']:.4f} and {mean['stratified']:.4f}",
        _splitter(advice),
    ]


def _limit(advice: Advice) -> str:
    things = "group" if advice.structure.groups else "row"
    rarest = advice.classes["holders"].idxmin()
    max_splits = advice.largest_n_splits
    if max_splits < 2:
        return f"Folds\n  class {rarest} has a single {things}: no number of folds gives every fold each class"
    return (
        f"Folds\n  at most {max_splits}, so that every stratified fold holds every class: "
        f"class {rarest} has {max_splits} {things}s"
    )


def _class_lines(advice: Advice) -> str:
    table = advice.classes
    shown = table if len(table) <= 2 * _SHOWN else pd.concat([table.iloc[:_SHOWN], table.iloc[-_SHOWN:]])
    spans = [
        f"{low}" if low == high else f"{low} to {high}"
        for low, high in zip(shown["min_rows"], shown["max_rows"], strict=True)
    ]
    text = pd.DataFrame(
        {
            "class": [f"{name!s:.24}" for name in shown.index],
            "rows": shown["rows"].to_numpy(),
            "share": [f"{100 * share:.3g} %" for share in shown["share"]],
            " in a stratified fold": spans,
            " not in a random fold": [_percent(value) for value in shown["fold_empty"]],
            f" not in some of {advice.n_splits}": [_percent(value) for value in shown["any_fold_empty"]],
        }
    ).to_string(index=False)
    lines = ["  " + line for line in text.splitlines()]
    if len(table) > 2 * _SHOWN:
        lines.insert(1 + _SHOWN, f"  ... and {len(table) - 2 * _SHOWN} more ...")
    return "\n".join(lines)


def _percent(probability: float) -> str:
    if probability < 1e-6:
        return "< 0.0001 %"
    return f"{100 * probability:.2g} %" if probability < 0.995 else f"{100 * probability:.0f} %"


def _hanging_together(advice: Advice) -> str:
    """Say why rows must not be dealt singly, and how to cut them."""
    time, groups = advice.structure.time, advice.structure.groups
    code = "\n".join(f"    {line}" for line in advice.code.splitlines())
    said = [
        f"{column.name or what} says {meaning}" + (f" (found: {column.why})" if column.why else "")
        for what, meaning, column in (
            ("time", "in which order rows were taken", time),
            ("groups", "which rows belong together", groups),
        )
        if column
    ]
    lines = [f"Splitter\n  {'; '.join(said)}."]
    if time:
        lines.append(f"  A row must not be predicted from later ones:\n{code}")
        if groups:
            lines.append("  These folds may still part a group: no splitter here or in scikit-learn heeds both.")
    else:
        kind = "ClusterKFold" if advice.task == "regression" else "StratifiedClusterKFold"
        lines.append(f"  A group in the training and the test part gives its rows away. Keep groups whole:\n{code}")
        ours = f"{kind}({advice.n_splits}, shuffle=True, random_state=0)"
        lines.append(f"  {ours} keeps them whole, too, and spreads similar ones.")
        lines.append("  Counts and noise above are those of rows dealt one by one; whole groups make folds less even.")
    guessed = [column.name for column in (time, groups) if column and not column.given]
    if guessed:
        lines.append(f"  If {' and '.join(guessed)} says nothing of the kind, leave the column out and ask again.")
    lines.append("  The studies had neither groups nor time: they do not say what is best here.")
    return "\n".join(lines)


def _splitter(advice: Advice) -> str:
    if advice.structure.time or advice.structure.groups:
        return _hanging_together(advice)
    found = advice.recommendation
    if found is None:
        return f"Splitter\n  SCV, the default: {advice.splitter}"
    basis = (
        f"the cluster-based study on {found.n_datasets} {found.balance} data sets\n"
        f"  ({found.n_pairs} pairs with a model), {found.n_splits} folds:\n"
        f"  root mean squared error of the estimated {found.metric} minus that of SCV,\n"
        "  in points, with 95 % intervals over data sets"
    )
    better = [str(name) for name in found.effects.index[found.effects["better"]]]
    if found.clear:
        kind = TECHNIQUES[found.technique].splitter.__name__
        head = f"{found.technique}: {advice.splitter}, that is {kind}"
        head += f".\n  Clearly better than SCV are {', '.join(better)}" if len(better) > 1 else ""
    else:
        head = f"SCV, the default: {advice.splitter}.\n  No technique is clearly better; any that is not clearly worse "
        head += "will do"
    table = 100 * found.effects[["difference", "low", "high"]]
    verdict = [
        "better" if line.better else "worse" if line.worse else "not clear" for line in found.effects.itertuples()
    ]
    text = table.map(_signed).assign(**{"against SCV": verdict}).reset_index().to_string(index=False)
    lines = "\n".join("  " + line for line in text.splitlines())
    note = f"  (better or worse: clear even though {len(table)} techniques are compared at once)"
    apart = found.effects[(found.effects["low"] > 0) | (found.effects["high"] < 0)]
    unclear = apart.index[~(apart["better"] | apart["worse"])]
    if len(unclear):
        note += (
            f"\n  ({', '.join(map(str, unclear))}: the interval excludes zero, yet that is not clear. Of {len(table)} "
            "such\n  intervals some exclude zero by luck; the wider one that allows for this holds zero)"
        )
    only = (
        "\n  (only techniques that keep classes in proportion: random folds may lack one)" if found.stratified else ""
    )
    return f"Splitter\n  {head}.{only}\n  Source: {basis}\n{lines}\n{note}"


def _signed(value: float) -> str:
    text = f"{value:+.2f}"
    return text if float(text) else text[1:]


def _regression_parts(advice: Advice) -> list[str]:
    k, noise = advice.n_splits, advice.noise["fold"]
    features = f", {count(advice.n_features, 'feature')}" if advice.n_features else ""
    default = (
        f"Splitter\n  {advice.splitter} is the default. Stratified splitters of this package, such as\n"
        f"  StratifiedClusterKFold({k}, shuffle=True, random_state=0), cut the target into these bins themselves.\n"
        "  The study had classes only."
    )
    return [
        f"{advice.n_rows} rows{features}, a number to predict: there are no classes to keep in proportion",
        f"Folds\n  {k} of about {advice.n_rows / k:.0f} rows",
        "Noise of the target's mean in a fold\n"
        f"  {noise['random']:.3f} of its standard deviations in random folds, {noise['stratified']:.3f} in folds "
        f"stratified by {len(advice.classes)} quantile bins",
        _hanging_together(advice) if advice.structure.time or advice.structure.groups else default,
    ]
