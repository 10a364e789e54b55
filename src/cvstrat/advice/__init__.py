"""What a number of folds means for a data set at hand, and which folds the studies speak for."""

from cvstrat.advice._advise import METRIC_LABELS, advise, advise_file
from cvstrat.advice._answer import Advice
from cvstrat.advice._recommend import CANDIDATES, DEFAULT, Recommendation, effects, recommend
from cvstrat.advice._structure import Column, Structure, read_structure
from cvstrat.advice._target import TASKS, Target, read_target

__all__ = [
    "CANDIDATES",
    "DEFAULT",
    "METRIC_LABELS",
    "TASKS",
    "Advice",
    "Column",
    "Recommendation",
    "Structure",
    "Target",
    "advise",
    "advise_file",
    "effects",
    "read_structure",
    "read_target",
    "recommend",
]
