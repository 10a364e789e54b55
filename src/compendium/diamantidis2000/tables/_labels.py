"""Headings under which pages show the columns of this room's tables."""

LABELS = {
    "std": "standard deviation",
    "published_std": "published standard deviation",
    "rmse": "root mean squared error",
    "p_value": "p-value",
}
