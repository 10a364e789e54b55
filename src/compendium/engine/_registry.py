"""The studies there are: every room whose ``study`` module lists some in ``STUDIES``."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import compendium
from compendium.engine._study import Study
from cvstrat.checks import check_known


def studies() -> dict[str, Study[Any]]:
    """Return all studies by name, room by room."""
    return {study.name: study for room in _rooms() for study in _studies_of(room)}


def find_study(study: str | Study[Any]) -> Study[Any]:
    """Return a study by its name, or as it was given; an unknown name is answered with near ones."""
    if isinstance(study, Study):
        return study
    room = study.partition("-")[0]
    known = {one.name: one for one in _studies_of(room)} if room in _rooms() else {}
    if study not in known:
        known = studies()
    check_known("study", study, known)
    return known[study]


def _rooms() -> list[str]:
    rooms = [room for place in compendium.__path__ for room in Path(place).iterdir()]
    return sorted({room.name for room in rooms if (room / "study.py").is_file() or (room / "study").is_dir()})


def _studies_of(room: str) -> tuple[Study[Any], ...]:
    found: tuple[Study[Any], ...] = importlib.import_module(f"compendium.{room}.study").STUDIES
    return found
