"""Why folds should be representative: the text on stratified k-fold cross-validation, worked out and simulated."""
