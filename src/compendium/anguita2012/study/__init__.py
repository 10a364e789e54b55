"""The studies of complete k-fold cross-validation: the paper's problems, and whether its bound holds."""

from compendium.anguita2012.study._guarantee import ANGUITA2012_GUARANTEE, GENERATORS, GuaranteeSpec
from compendium.anguita2012.study._problems import ANGUITA2012, ANGUITA2012_IMAGE, Anguita2012Spec, chosen_candidates

STUDIES = (ANGUITA2012, ANGUITA2012_IMAGE, ANGUITA2012_GUARANTEE)

__all__ = [
    "ANGUITA2012",
    "ANGUITA2012_GUARANTEE",
    "ANGUITA2012_IMAGE",
    "GENERATORS",
    "STUDIES",
    "Anguita2012Spec",
    "GuaranteeSpec",
    "chosen_candidates",
]
