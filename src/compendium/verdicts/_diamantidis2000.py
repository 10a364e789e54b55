"""What the results say of the claims of the study of 2000."""

from __future__ import annotations

from itertools import pairwise

import pandas as pd

from compendium.diamantidis2000 import tables
from compendium.engine import read_tables
from compendium.figures import signed
from compendium.inference import effects, grouped_mean
from compendium.words import HOLDS, IN_PART, NOT, UNKNOWN, listed, out_of

_OBSERVATIONS = {
    "moderate": "moderate number of folds",
    "low-variance": "low variance",
    "many-attributes": "many attributes, few rows",
    "small-sets": "small data",
}
_LEARNERS = {"Decision tree": "the decision tree", "Naive Bayes": "naive Bayes"}  # as a sentence has them


def findings() -> dict[str, tuple[str, str]]:
    """Return verdict and finding for each claim of the text, by its id."""
    results = tables.with_c45(read_tables("diamantidis2000"))
    samples = tables.estimates_of_samples(results)
    estimates = tables.estimate_table(samples)
    accuracies = tables.accuracy_table(estimates)
    names = set(estimates["technique"])
    random, stratified = ("KFold", "SCV") if "SCV" in names else ("R-CV", "RS-CV")
    return {
        **_effects(estimates, random, stratified),
        **_wins(accuracies, random),
        **_observations(samples, accuracies),
        **_folds(estimates, random),
        **_letter(accuracies, random),
        **_curve(results),
        **_repeated(estimates),
        **_clusters(results),
    }


def _effects(estimates: pd.DataFrame, random: str, stratified: str) -> dict[str, tuple[str, str]]:
    bias = tables.center_effects(estimates, "abs_bias", ["CL-CV"], random)
    std = tables.center_effects(estimates, "std", ["CL-CV", "1C-CV"], random).set_index("technique")
    rmse = tables.center_effects(estimates, "rmse", ["1C-CV"], random)
    against = tables.center_effects(estimates, "std", [stratified], "CL-CV")
    less = std.loc[["CL-CV", "1C-CV"]]
    equal = int(rmse["finding"].str.startswith("equal").sum())
    return {
        "cl-bias": (_lead(bias), _counted("The size of the bias", bias, "random folds")),
        "cl-variance": (_lead(less), _counted("The standard deviation", less, "random folds")),
        "scv-variance": (
            _lead(against),
            _counted("The standard deviation of stratified folds", against, "CL-CV"),
        ),
        "one-centre": (
            NOT if _clear(rmse)[0] else HOLDS if equal == len(rmse) else IN_PART if equal else UNKNOWN,
            _counted("The error of 1C-CV", rmse, "random folds")
            + f" It is shown to be within half a point of it in {out_of(equal, len(rmse))}.",
        ),
    }


def _clear(effects: pd.DataFrame) -> tuple[int, int]:
    return int((effects["joint_high"] < 0).sum()), int((effects["joint_low"] > 0).sum())


def _lead(effects: pd.DataFrame) -> str:
    below, above = _clear(effects)
    if below:
        return HOLDS if below == len(effects) else IN_PART
    return NOT if above else UNKNOWN


def _counted(what: str, effects: pd.DataFrame, reference: str) -> str:
    below, above = _clear(effects)
    sides = f"clearly below that of {reference} in {out_of(below, len(effects))} comparisons"
    return f"{what} is {sides}" + (f" and clearly above in {above}." if above else ".")


def _wins(accuracies: pd.DataFrame, random: str) -> dict[str, tuple[str, str]]:
    best = tables.best_table(accuracies).set_index(["source", "technique"])
    printed, again = (int(best["variance"][source, random]) for source in ("published", "recounted"))
    return {
        "cl-wins": _lead_in_wins(best.drop(["published", "recounted"], level="source")),
        "table4": (
            HOLDS if printed == again else IN_PART,
            f"All but one: random folds have the smallest deviation {again} times in Table 3, not {printed}.",
        ),
    }


def _lead_in_wins(best: pd.DataFrame) -> tuple[str, str]:
    """Return with how many learners CL-CV has more wins than any other technique; a shared first place is none."""
    sources = list(dict.fromkeys(best.index.get_level_values("source")))
    counts = [
        (best["bias"][name, "CL-CV"], best["cases"][name, "CL-CV"], _LEARNERS.get(name, name)) for name in sources
    ]
    first = {name: _leaders(best["bias"][name]) for name in sources}
    alone = sum(leaders == ["CL-CV"] for leaders in first.values())
    shared = [
        f"shares the first place with {listed(leaders[:-1])} for {_LEARNERS.get(name, name)}"
        for name, leaders in first.items()
        if leaders[-1] == "CL-CV" and len(leaders) > 1
    ]
    words = listed([f"comes first alone with {out_of(alone, len(sources))} learners", *shared])
    sums = best["bias"].groupby("technique").sum()
    most = listed([f"{name} wins {sums[name]}" for name in dict.fromkeys([*_leaders(sums), "CL-CV"])])
    return (
        HOLDS if alone == len(sources) else IN_PART if alone else NOT,
        f"In the rerun it is best in {listed([f'{wins} of {cases} ({name})' for wins, cases, name in counts])}. "
        f"Over all learners {most} cases; CL-CV {words}.",
    )


def _leaders(wins: pd.Series) -> list[str]:
    """Return all that have the most wins, CL-CV last: ties are not broken."""
    return sorted((str(name) for name in wins.index[wins == wins.max()]), key=lambda name: name == "CL-CV")


def _observations(samples: pd.DataFrame, accuracies: pd.DataFrame) -> dict[str, tuple[str, str]]:
    claims = tables.observation_table(tables.gain_table(samples, accuracies))
    ours = claims[claims["source"] != "published"]
    found = {}
    for name, observation in _OBSERVATIONS.items():
        part = ours[ours["observation"] == observation]
        above, below = int((part["joint_low"] > 0).sum()), int((part["joint_high"] < 0).sum())
        verdict = HOLDS if above == len(part) else IN_PART if above > below else NOT if below else UNKNOWN
        words = f"Clearly in favour in {out_of(above, len(part))} tests (learners and two measures), against in"
        rest = f"{int(part['sets'].max())} data sets are too few for more."
        found[name] = (verdict, f"{words} {below or 'none'}; {rest}")
    return found


def _folds(estimates: pd.DataFrame, random: str) -> dict[str, tuple[str, str]]:
    part = estimates[estimates["technique"] == random]
    bias, std = (part.pivot(index=["dataset", "learner"], columns="n_splits", values=one) for one in ("bias", "std"))
    return {
        "few-folds": _pessimism(bias.dropna()),
        "more-variance": _more_folds(bias.dropna(), std.dropna(), tables.beside_stratified(estimates)),
    }


def _pessimism(bias: pd.DataFrame) -> tuple[str, str]:
    """Return on how many data sets the bias is lower with the fewest folds than with the most."""
    fewest, most = bias.columns.min(), bias.columns.max()
    by_set = bias.groupby("dataset").mean()
    lower, n = int((by_set[fewest] < by_set[most]).sum()), len(by_set)
    low, high = _interval(bias[most] - bias[fewest])
    means = listed([f"{signed(float(bias[k].mean()), 1)} points with {k}" for k in (fewest, most)])
    zero = "contains zero" if low <= 0 <= high else "excludes zero"
    return (
        HOLDS if lower > 0.8 * n else IN_PART if lower > n / 2 else NOT,
        f"Counted by data sets: the bias of random folds is lower with {fewest} folds than with {most} on "
        f"{out_of(lower, n)}. Over the {len(bias)} pairs of data set and learner with all numbers of folds it is "
        f"{means} on average. The interval of the mean difference, {signed(low, 1)} to {signed(high, 1)}, {zero}.",
    )


def _more_folds(bias: pd.DataFrame, std: pd.DataFrame, beside: pd.DataFrame) -> tuple[str, str]:
    """Return whether bias falls and standard deviation grows with every step to more folds, leave-one-out the last."""
    folds, means = list(std.columns), [float(std[k].mean()) for k in std]
    others = beside.pivot(index=["dataset", "learner"], columns="technique", values="std")
    alone, ten = others["leave-one-out"], others["RS-CV, 10 folds"]
    sizes = [abs(float(bias[k].mean())) for k in bias]
    falls = all(after < before for before, after in pairwise(sizes))
    grows = [*(after > before for before, after in pairwise(means)), alone.mean() > ten.mean()]
    gap = std[folds[-1]] - std[folds[0]]
    low, high = _interval(gap)
    larger = (gap > 0).groupby("learner").agg(["sum", "size"]).to_dict("index")
    counts = [f"{row['sum']} of {row['size']} with {_LEARNERS.get(str(name), name)}" for name, row in larger.items()]
    return (
        HOLDS if falls and all(grows) else IN_PART if falls or any(grows) else NOT,
        f"The mean bias {'comes' if falls else 'does not come'} nearer to zero with every step. The mean standard "
        f"deviation of random folds is {listed([f'{mean:.2f}' for mean in means])} points with "
        f"{listed([str(k) for k in folds])} folds. It is larger with {folds[-1]} than with {folds[0]} in "
        f"{out_of(int((gap > 0).sum()), len(gap))} pairs of data set and learner ({listed(counts)}). The interval of "
        f"the mean difference is {signed(low)} to {signed(high)}. Leave-one-out has {alone.mean():.2f} and ten "
        f"stratified folds {ten.mean():.2f}; it has more in {out_of(int((alone > ten).sum()), len(alone))} pairs.",
    )


def _interval(gap: pd.Series) -> tuple[float, float]:
    return grouped_mean(gap, gap.index.get_level_values("dataset")).interval(0.95)


def _letter(accuracies: pd.DataFrame, random: str) -> dict[str, tuple[str, str]]:
    part = accuracies[(accuracies["dataset"] == "pmlb/letter") & (accuracies["n_splits"] == 2)]
    std = part.pivot(index="source", columns="technique", values="std")[[random, "CL-CV"]].drop("published")
    falls = int((std["CL-CV"] < 0.7 * std[random]).sum())
    cells = [f"from {row[random]:.2f} to {row['CL-CV']:.2f} points ({name})" for name, row in std.iterrows()]
    return {
        "letter": (
            HOLDS if falls == len(std) else IN_PART if falls else NOT,
            f"It goes {listed(cells)}; published are 1.04 and 0.58, with C4.5.",
        )
    }


def _curve(results: dict[str, pd.DataFrame]) -> dict[str, tuple[str, str]]:
    curves = tables.curve_table(results)
    curve = curves[(curves["dataset"] == "pmlb/letter") & (curves["learner"] == "C4.5")].set_index("size")
    here, most = curve[curve["sampled"]].iloc[0], curve.loc[curve.index.max()]
    return {
        "letter-curve": (
            HOLDS if most["low"] > here["high"] else UNKNOWN,
            f"C4.5 is right in {here['accuracy']:.1f} % of the other rows after {here.name} rows, and in "
            f"{most['accuracy']:.1f} % after {most.name}.",
        )
    }


def _repeated(estimates: pd.DataFrame) -> dict[str, tuple[str, str]]:
    beside = tables.beside_stratified(estimates)
    std = beside.pivot(index=["dataset", "learner"], columns="technique", values="std")
    once, often = "RS-CV, 10 folds", "repeated RS-CV"
    (found,) = effects(std[[once, often]], once, "dataset").loc[[often]].to_dict("records")
    less = int((std[often] < std[once]).sum())
    ends = " to ".join(signed(found[end]) for end in ("low", "high"))
    return {
        "repeated": (
            HOLDS if found["high"] < 0 else IN_PART if less > len(std) / 2 else NOT,
            f"Five runs of ten stratified folds have a smaller standard deviation than one in {out_of(less, len(std))} "
            "pairs of data set and learner on which all estimators could be run; the mean difference is "
            f"{signed(found['difference'])} points ({ends}).",
        )
    }


def _clusters(results: dict[str, pd.DataFrame]) -> dict[str, tuple[str, str]]:
    table = tables.cluster_table(results)
    gap = table["mean"] - table["published"]
    close = int((gap.abs() < 0.5).sum())
    return {
        "mojena": (
            HOLDS if close == len(table) else IN_PART if close > len(table) / 2 else NOT,
            f"Ours are higher by {gap.median():.1f} in the median, and within a half of the printed ones on "
            f"{out_of(close, len(table))} sets.",
        )
    }
