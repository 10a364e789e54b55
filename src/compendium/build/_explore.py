"""The results of all studies that know a truth, as one script that the page ``explore`` loads, also from disk."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pandas as pd
from scipy import stats

from compendium.engine import Study, read_tables, results_folder, studies

SCRIPT = Path("book/_static/widgets/results.js")
AXES = ("dataset", "model", "metric", "technique", "n_splits")
MEASURES = ("bias", "bias_se", "std", "rmse")
_CONFIDENCE = 0.95
_WORDS = {
    "balanced_accuracy": "balanced accuracy",
    "f1_macro": "macro F1",
    "precision_macro": "macro precision",
    "LR": "logistic regression",
    "DT": "decision tree",
    "SVM": "support vector machine",
    "RF": "random forest",
}


def results_script() -> bytes:
    """Return the script: every study with its axes, and a column of whole numbers per axis and measure."""
    found = {name: encode(study.errors(read_tables(name))) | {"summary": study.summary} for name, study in _committed()}
    sizes = {n for study in found.values() for n in study["rows"]["n"]}
    sizes |= set(range(2, 2 + max((len(study["axes"]["dataset"]) for study in found.values()), default=0)))
    content = {"studies": found, "factors": {int(n): factors(n) for n in sorted(sizes)}}
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
    return f"window.cvstrat=window.cvstrat||{{}};cvstrat.results={text};\n".encode()


def _committed() -> list[tuple[str, Any]]:
    """Return the studies that know a truth and whose results are there, with all tables."""
    known = [(name, study) for name, study in studies().items() if study.errors is not None]
    return [(name, study) for name, study in known if _is_there(study)]


def _is_there(study: Study[Any]) -> bool:
    manifest = results_folder(study) / "manifest.json"
    return (
        manifest.is_file()
        and {table.name for table in study.tables} <= json.loads(manifest.read_text())["tables"].keys()
    )


def encode(errors: pd.DataFrame) -> dict[str, Any]:
    """Return a frame of errors (see ``Study.errors``) as names of the axes, and columns in hundredths of a point."""
    table = errors.dropna(subset=list(MEASURES))
    axes, rows = {}, {}
    for axis in AXES:
        values = sorted(table[axis].unique()) if axis == "n_splits" else list(dict.fromkeys(table[axis].astype(str)))
        place = {value: number for number, value in enumerate(values)}
        column = table[axis] if axis == "n_splits" else table[axis].astype(str)
        axes[axis] = [int(value) if axis == "n_splits" else _word(value.rpartition("/")[2]) for value in values]
        rows[axis] = [place[value] for value in column]
    for measure in MEASURES:
        rows[measure] = [round(100 * value) for value in table[measure]]
    rows["n"] = [int(n) for n in table["n"]]
    return {"axes": axes, "rows": rows}


def _word(name: str) -> str:
    return _WORDS.get(name, name)


def factors(n: int) -> list[float]:
    """Return what makes intervals of `n` repetitions: the quantile of t, and factors of a standard deviation."""
    if n < 2:
        return [0.0, 0.0, 0.0]
    tail = (1 - _CONFIDENCE) / 2
    spread = [math.sqrt((n - 1) / stats.chi2.ppf(share, n - 1)) for share in (1 - tail, tail)]
    return [round(float(value), 4) for value in (stats.t.ppf(1 - tail, n - 1), *spread)]


def sources(root: Path) -> list[Path]:
    """Return the files below `root` that the script is made from: committed results and the code of the studies."""
    return sorted([*(root / "data" / "results").glob("*/manifest.json"), *(root / "src" / "compendium").rglob("*.py")])
