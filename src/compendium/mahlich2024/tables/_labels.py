"""What a page calls the columns of the tables."""

LABELS = {
    "efold": "e-fold",
    "efold_all_runs": "e-fold, from all runs",
    "fixed_all_runs": "fixed, from all runs",
    "random_all_runs": "random, from all runs",
    "efold_inside": "e-fold inside",
    "fixed_inside": "fixed inside",
    "random_inside": "random inside",
    "fixed_inside_ddof0": "fixed inside, ddof 0",
    "fits_saved": "fits saved",
    "seconds_saved_mean": "seconds saved, mean of runs",
    "seconds_saved_total": "seconds saved in all",
    "std": "standard deviation",
    "distance_all_runs": "distance from all runs",
}
