"""Headings under which pages show the columns of this room's tables."""

LABELS = {
    "n_splits": "folds",
    "rms_bias": "root mean squared bias",
    "std": "standard deviation",
    "rmse": "root mean squared error",
    "as_published": "as published",
    "as_published_by_set": "as published, by set",
    "correct_by_set": "correct, by set",
    "share_smaller": "share smaller",
    "p_value": "p-value",
    "p_adjusted": "adjusted p-value",
    "p_holm": "p, Holm",
    "p_equivalent": "p of equality",
    "joint_low": "joint low",
    "joint_high": "joint high",
    "n_sets": "sets",
    "larger": "sets above",
    "f1_macro": "macro F1",
    "balanced_accuracy": "balanced accuracy",
    "precision_macro": "macro precision",
    "recall_macro": "macro recall",
}
