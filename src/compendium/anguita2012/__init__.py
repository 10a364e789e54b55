"""Complete k-fold cross-validation (Anguita et al., 2012): the number of folds as a hyperparameter, with a bound."""
