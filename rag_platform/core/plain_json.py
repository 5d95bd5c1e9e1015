"""What JSON can hold of a value of ours."""

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
