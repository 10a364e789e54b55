"""e-fold cross-validation (Mahlich et al., 2024): when it stops, what it saves, what it gives up."""
