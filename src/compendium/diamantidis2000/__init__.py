"""Unsupervised stratification (Diamantidis et al., 2000): folds by one centre or by clusters, and other estimators."""
