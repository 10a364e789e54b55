"""Patients drawn, and what folds say of a model: the same as cross-validation, row by row of the table."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GroupKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from compendium.stratification import patients
from cvstrat import make_splitter


def test_rows_of_a_patient_lie_together_and_share_a_class():
    X, y, groups, new_rows, new_y = patients.draw_patients(40, 20, 0)
    assert sorted(set(groups)) == list(range(40))
    frame = pd.DataFrame(X).assign(y=y, patient=groups).groupby("patient")
    assert frame.size().between(3, 8).all()
    assert (frame["y"].nunique() == 1).all()
    assert frame[[0, 1]].std().mean().max() < 0.5
    assert len(new_rows) == len(new_y)
    assert set(y) == {"ill", "well"}


def test_a_generator_goes_on_from_where_it_is_left():
    rng = np.random.default_rng(7)
    first, second = patients.draw_patients(10, 5, rng), patients.draw_patients(10, 5, rng)
    assert (first.X == patients.draw_patients(10, 5, 7).X).all()
    assert first.X.shape != second.X.shape or (first.X != second.X).any()


def test_scores_are_those_of_cross_validation():
    scores = patients.patient_scores([3, 4], 60, 100, 5)
    X, y, groups, new_rows, new_y = patients.draw_patients(60, 100, 4)
    model = KNeighborsClassifier(1)
    cv = make_splitter("SCBCV", n_splits=5, n_clusters=patients.N_CLUSTERS, random_state=4)
    expected = {
        patients.TORN: cross_val_score(model, X, y, cv=cv).mean(),
        patients.WHOLE: cross_val_score(model, X, y, groups=groups, cv=cv).mean(),
        patients.PLAIN: cross_val_score(
            model, X, y, groups=groups, cv=GroupKFold(5, shuffle=True, random_state=4)
        ).mean(),
        patients.TRUE: model.fit(X, y).score(new_rows, new_y),
    }
    assert scores.loc[4].to_dict() == pytest.approx({name: 100 * value for name, value in expected.items()})


def test_means_have_standard_errors_over_draws_and_pairs():
    scores = pd.DataFrame(
        {
            patients.TRUE: [60.0, 62, 61],
            patients.TORN: [84.0, 85, 86],
            patients.WHOLE: [63.0, 65, 63],
            patients.PLAIN: [61.0, 62, 60],
        }
    )
    table = patients.score_table(scores).set_index("folds")
    assert table.loc[patients.WHOLE, ["off", "above"]].tolist() == pytest.approx([8 / 3, 8 / 3])
    assert table.loc[patients.WHOLE, "off_se"] == pytest.approx(np.std([3, 3, 2], ddof=1) / np.sqrt(3))
    assert table.loc[patients.PLAIN, "above_se"] == 0
    with pytest.raises(ValueError, match="at least 2 draws"):
        patients.score_table(scores.head(1))


@pytest.mark.parametrize(
    ("above", "se", "said", "alike"),
    [(1.8, 0.2, ", more than chance", True), (0.3, 0.2, ", no more than", False), (-2.0, 0.2, ", more than", False)],
)
def test_the_text_blames_alike_folds_only_where_they_are_clearly_higher(above, se, said, alike):
    names = [patients.TORN, patients.WHOLE, patients.PLAIN]
    table = pd.DataFrame(
        {"folds": names, "off": [23.0, 2, 0], "off_se": 0.3, "above": [23.0, above, 0], "above_se": se}
    )
    text = patients.gap_text(table)
    assert said in text
    assert ("estimate too high even with whole patients" in text) == alike
