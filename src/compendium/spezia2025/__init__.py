"""Cluster-based cross-validation (Spezia et al., 2025): bias and deviation of fold constructions, and an audit."""
