"""How alike folds should be: the balance of folds against bias, where the truth is known and on real data."""
