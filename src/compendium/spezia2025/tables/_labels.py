"""Headings under which pages show the columns of this room's tables."""

LABELS = {
    "n_splits": "folds",
    "abs_bias": "absolute bias",
    "std": "standard deviation",
    "rmse": "root mean squared error",
    "as_published": "as published",
    "as_published_by_set": "as published, by set",
    "correct_by_set": "correct, by set",
    "share_smaller": "share smaller",
    "p_value": "p-value",
    "p_adjusted": "adjusted p-value",
}
