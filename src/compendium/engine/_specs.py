"""Specs as plain values, and how two of them relate: the same, a part, more of the same, or another one."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from compendium.engine._study import S
from compendium.engine._values import axis_fields


def as_json(spec: Any) -> dict[str, Any]:
    """Return a spec as plain JSON values."""
    plain: dict[str, Any] = json.loads(json.dumps(dataclasses.asdict(spec)))
    return plain


def from_json(spec_type: type[S], plain: Mapping[str, Any]) -> S:
    """Return the spec that plain JSON values stand for."""
    return spec_type(**{name: _frozen(value) for name, value in plain.items()})


def _frozen(value: Any) -> Any:
    return tuple(_frozen(part) for part in value) if isinstance(value, list) else value


def digest(spec: Any) -> str:
    """Return a checksum of a spec: what a shard must have been computed with."""
    return hashlib.sha256(json.dumps(as_json(spec), sort_keys=True).encode()).hexdigest()


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Return a line for every name whose values differ; of lists, what only one of them has."""
    names = [name for name in sorted({*old, *new}) if old.get(name) != new.get(name)]
    return [f"{name}: {_difference(old.get(name), new.get(name))}" for name in names]


def _difference(old: Any, new: Any) -> str:
    if not (isinstance(old, list) and isinstance(new, list)):
        return f"{old} there, {new} here"
    sides = (("there", _without(old, new)), ("here", _without(new, old)))
    return ", ".join(f"{values} only {side}" for side, values in sides if values) or "in another order"


def _without(values: list[Any], others: list[Any]) -> list[Any]:
    return [value for value in values if value not in others]


@dataclasses.dataclass(frozen=True)
class Relation:
    """What a spec has that the spec of a folder has not, and the other way round.

    Attributes
    ----------
    added, dropped : dict of str to list or str
        Fields of axes, and the values that only the new spec has, or only the folder's; of counts, from how many to
        how many.
    other : bool
        Whether the specs differ in anything else: a field that is no axis, or one that only one of them has.
    """

    added: dict[str, list[Any] | str]
    dropped: dict[str, list[Any] | str]
    other: bool

    @property
    def grows(self) -> bool:
        """Whether the new spec only adds values to axes."""
        return bool(self.added) and not self.dropped and not self.other

    @property
    def within(self) -> bool:
        """Whether all that the new spec asks for is in the folder's; the order of values does not matter."""
        return not self.added and not self.other


def relate(spec_type: type, there: Mapping[str, Any], here: Mapping[str, Any]) -> Relation:
    """Return how a new spec relates to that of a folder, both as plain values."""
    axes = {field.name for field in axis_fields(spec_type)} & {*there} & {*here}
    found = {name: _sides(there[name], here[name]) for name in axes}
    added = {name: added for name, (added, _) in sorted(found.items()) if added}
    dropped = {name: dropped for name, (_, dropped) in sorted(found.items()) if dropped}
    return Relation(added, dropped, any(there.get(name) != here.get(name) for name in {*there, *here} - {*found}))


def _sides(old: Any, new: Any) -> tuple[list[Any] | str, list[Any] | str]:
    """Return what only the new value of an axis has, and what only the old one has."""
    if isinstance(old, int):
        change = f"{old} to {new}"
        return change if new > old else "", change if new < old else ""
    return _without(new, old), _without(old, new)
