"""Cluster-based cross-validation (Spezia et al., 2025): how far its estimates are from the true score, and an audit."""
