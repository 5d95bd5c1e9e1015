"""Sets of keys as ascending arrays."""

from collections.abc import Sequence

import numpy as np


def among(keys: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Tell which keys, in any order, are among the chosen, which ascend: bool. `np.isin` would sort both each time."""
    if not len(chosen):
        return np.zeros(len(keys), bool)
    places = np.minimum(np.searchsorted(chosen, keys), len(chosen) - 1)
    found: np.ndarray = chosen[places] == keys
    return found


def union(parts: Sequence[np.ndarray]) -> np.ndarray:
    """Return what is in any of these, of which there is at least one: ascending and each once, as they are."""
    if len(parts) == 1:
        return parts[0]
    merged = np.sort(np.concatenate(parts), kind="stable")  # it merges what is sorted; `np.unique` would hash it
    first = np.ones(len(merged), bool)
    first[1:] = merged[1:] != merged[:-1]
    found: np.ndarray = merged[first]
    return found
