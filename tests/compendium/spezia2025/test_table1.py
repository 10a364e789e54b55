"""Numbers of clusters in Table I, estimated anew from the data sets themselves."""

import os

import pytest

from compendium.datasets import load, published
from cvstrat import estimate_n_clusters


@pytest.mark.skipif(not os.environ.get("CVSTRAT_DATA"), reason="set CVSTRAT_DATA to the folder with the data sets")
def test_published_numbers_of_clusters():
    """All but one, which the procedure puts halfway between two numbers."""
    table = published("spezia2025_table1")
    found = {name: estimate_n_clusters(load(f"pmlb/{name}").X) for name in table["name"]}
    expected = dict(zip(table["name"], table["clusters"], strict=True))
    wrong = {name: (found[name], expected[name]) for name in found if found[name] != expected[name]}
    assert len(found) == 20
    assert len(wrong) <= 1, wrong
    assert all(abs(ours - theirs) <= 1 for ours, theirs in wrong.values())
