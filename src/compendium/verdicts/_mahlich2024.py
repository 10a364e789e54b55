"""What the results say of the claims on e-fold cross-validation."""

from __future__ import annotations

import pandas as pd

from compendium.engine import load_result, read_tables
from compendium.figures import signed
from compendium.mahlich2024 import study, tables
from compendium.words import HOLDS, IN_PART, NOT, UNKNOWN, listed, out_of

_ASSUMED_POWER = ("cpu_load", "constant", "unknown")  # codecarbon's words where it read no counter of the machine
_NUMBERS = {2: "two", 3: "three", 4: "four"}


def findings() -> dict[str, tuple[str, str]]:
    """Return verdict and finding for each claim of the text, by its id."""
    runs = read_tables("mahlich2024")
    stopped = tables.stopped_runs(runs)
    noise = study.noise_table()
    return {
        **_stops(stopped, noise),
        **_savings(stopped),
        **_inside(runs, stopped),
        **_quality(runs, stopped, noise),
        **_differences(stopped),
    }


def _stops(stopped: pd.DataFrame, noise: pd.DataFrame) -> dict[str, tuple[str, str]]:
    mean, expected = stopped["stop"].mean(), (noise.index * noise["runs"]).sum() / 100
    four, all_ten = (100 * (stopped["stop"] == n).mean() for n in (4, 10))
    stops = {(row["dataset"], row["model"]): row for row in tables.stop_table(stopped).to_dict("records")}
    bayes, nearest = (stops["sklearn/breast_cancer", model] for model in ("Naive Bayes", "k-NN"))
    straight = abs(bayes["difference"]) + abs(nearest["difference"])
    crossed = abs(bayes["ours"] - nearest["published"]) + abs(nearest["ours"] - bayes["published"])
    return {
        "stop": (HOLDS if abs(mean - 5.67) < 0.1 else NOT, f"{mean:.2f} folds in {len(stopped)} runs."),
        "four": (
            HOLDS if abs(four - 35) < 2 and abs(all_ten - 5) < 1 else IN_PART,
            f"{four:.0f} % end after four folds, {all_ten:.0f} % use all ten.",
        ),
        "not-random": (
            NOT if abs(mean - expected) < 0.25 else IN_PART,
            f"Runs on pure noise end after {expected:.2f} folds on average, those of the study after {mean:.2f}.",
        ),
        "breast-cancer": (
            NOT if crossed < straight else HOLDS,
            f"We get {bayes['ours']:.2f} and {nearest['ours']:.2f}: the two printed values seem to be exchanged.",
        ),
    }


def _savings(stopped: pd.DataFrame) -> dict[str, tuple[str, str]]:
    saved = tables.savings_table(stopped).set_index("task").loc["all"]
    overhead = float(load_result("speed", "efold")["ratio"].iloc[-1])
    power = str(load_result("speed", "energy")["processor"].iloc[0])
    near, measured = abs(saved["fits_saved"] - 40) < 5, power not in _ASSUMED_POWER
    energy = "measured" if measured else "only estimated from the time"
    longer = "just as long" if abs(overhead - 1) < 0.005 else f"{overhead:.2f} times as long"
    return {
        "forty": (
            HOLDS if near and measured else IN_PART if near else NOT,
            f"{saved['fits_saved']:.0f} % of the fits and {saved['seconds_saved_total']:.0f} % of the seconds; energy "
            f"was not measured in the paper, and {energy} here.",
        ),
        "overhead": (
            HOLDS if overhead < 1.05 else NOT,
            f"A fold takes {longer} as without the rule, for fits of 50 milliseconds.",
        ),
    }


def _inside(runs: dict[str, pd.DataFrame], stopped: pd.DataFrame) -> dict[str, tuple[str, str]]:
    """Judge by the better of two standard deviations: the paper does not say which one its interval has."""
    population = tables.stopped_runs(runs, interval_ddof=0)
    inside = [100 * part["inside"].mean() for part in (population, stopped)]
    peaks = [tables.inside_shares(part) for part in (population, stopped)]
    place, often = tables.PRINTED_PEAK
    tops, heights = [peak.idxmax() for peak in peaks], [float(peak.max()) for peak in peaks]
    there = [top == place for top in tops]
    as_often = [right and abs(height - often) < 2 for right, height in zip(there, heights, strict=True)]
    where = f"{place} % (as printed)" if all(there) else f"{tops[0]} % and {tops[1]} % (printed: {place} %)"
    return {
        "inside": (
            HOLDS if min(abs(share - 96) for share in inside) < 1 else IN_PART,
            tables.inside_text(stopped, population),
        ),
        "peak": (
            HOLDS if any(as_often) else IN_PART if any(there) else NOT,
            f"The most frequent share is {where}, in {heights[0]:.0f} % of the pairs with the deviation of a "
            f"population and in {heights[1]:.0f} % with that of a sample (printed: {often} %).",
        ),
    }


def _quality(runs: dict[str, pd.DataFrame], stopped: pd.DataFrame, noise: pd.DataFrame) -> dict[str, tuple[str, str]]:
    expected = (noise["runs"] * noise["efold_inside"]).sum() / 100
    control = tables.control_table(runs, stopped)
    effects = tables.control_effects(control)
    own = effects["panel"] == "from the run's own ten folds"
    (fixed,) = effects[own & (effects["technique"] == "fixed")].to_dict("records")
    ends = " to ".join(signed(fixed[end], 4) for end in ("joint_low", "joint_high"))
    gap = f"{signed(fixed['difference'], 4)} percent of the score ({ends}"
    five = tables.five_fold_table(read_tables("mahlich2024-five"), runs, stopped)
    nearer = int((five["five"] < five["efold"]).sum())
    ours = [100 * (stopped["stop"] < 5).mean(), 100 * (stopped["stop"] > 5).mean()]
    blind = [noise.loc[noise.index < 5, "runs"].sum(), noise.loc[noise.index > 5, "runs"].sum()]
    as_noise = all(abs(one - other) < 5 for one, other in zip(ours, blind, strict=True))
    pure = f"{blind[0]:.0f} % and {blind[1]:.0f} %"
    use = f"It uses fewer than five in {ours[0]:.0f} % of the runs and more in {ours[1]:.0f} %"
    where = f"but as on pure noise ({pure}), so not where it is needed" if as_noise else f"against {pure} on pure noise"
    return {
        "significant": (
            NOT if expected > 95 else IN_PART,
            f"Noise gives {expected:.1f} %, a fixed number of folds {100 * control['fixed_inside'].mean():.1f} %: the "
            "interval contains the scores it judges.",
        ),
        "dynamic": (
            NOT if fixed["joint_high"] < 0 else UNKNOWN if fixed["joint_low"] <= 0 else HOLDS,
            f"The distance of a fixed number of folds at the same cost minus that of e-fold is {gap}, "
            f"an interval that holds for all {_NUMBERS.get(len(effects), len(effects))} comparisons).",
        ),
        "beside-five": (
            NOT if as_noise and nearer > len(five) / 2 else IN_PART,
            f"{use}, {where}; genuine five folds are nearer to ten folds for {out_of(nearer, len(five))} pairs tried.",
        ),
    }


def _differences(stopped: pd.DataFrame) -> dict[str, tuple[str, str]]:
    early = stopped[stopped["stop"] < stopped["n_folds"]].groupby("task")["percent"]
    mean, most = early.mean(), early.max()
    tasks = ("binary", "multi-class", "regression")
    below, off = tables.limits_hold(stopped)
    away = "within a point of" if off < 1 else f"up to {off:.1f} points from"
    sizes = tables.differences_by_size(stopped)
    correlation = tables.rank_correlation(sizes)
    complexity = tables.differences_by_complexity(stopped)
    less = int((complexity["complex"] < complexity["simple"]).sum())
    return {
        "two-percent": (
            HOLDS if below else IN_PART,
            ", ".join(f"{mean[task]:.2f} % ({task})" for task in tasks) + ".",
        ),
        "outliers": (
            HOLDS if off < 1 else IN_PART,
            f"The largest are {listed([f'{most[task]:.1f} % ({task})' for task in tasks])}, {away} the printed ones.",
        ),
        "larger": (
            HOLDS if correlation < -0.5 else UNKNOWN if correlation < 0 else NOT,
            f"Spearman's correlation of rows and difference over {len(sizes)} sets is {correlation:.2f}.",
        ),
        "complex": (
            HOLDS if less > 0.8 * len(complexity) else IN_PART if less > len(complexity) / 2 else NOT,
            "AdaBoost and trees differ less than linear models and naive Bayes on "
            f"{out_of(less, len(complexity))} data sets.",
        ),
    }
