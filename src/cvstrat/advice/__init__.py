"""What a number of folds means for a data set at hand, and which folds the studies speak for."""

from cvstrat.advice._advise import advise, advise_file
from cvstrat.advice._answer import Advice
from cvstrat.advice._recommend import Recommendation, recommend
from cvstrat.advice._target import Target, read_target

__all__ = ["Advice", "Recommendation", "Target", "advise", "advise_file", "read_target", "recommend"]
