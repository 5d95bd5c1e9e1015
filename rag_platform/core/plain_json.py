"""What JSON can hold of a value of ours, and what it may hold of others."""

from dataclasses import asdict, is_dataclass
from datetime import datetime
from typing import Any


def plain(value: Any) -> Any:
    """Return what JSON can hold of a value of ours; for `json.dump`."""
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, frozenset | set):
        return sorted(value)
    if hasattr(value, "item"):  # a number of numpy
        return value.item()
    raise TypeError(f"{type(value).__name__} has no JSON form")


def objects_in(found: Any) -> list[dict[str, Any]]:
    """Return the objects of a list that was read from JSON; of anything else none."""
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
