"""Sets of keys as ascending arrays."""

import numpy as np


def among(keys: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Tell which keys, in any order, are among the chosen, which ascend: bool. `np.isin` would sort both each time."""
    if not len(chosen):
        return np.zeros(len(keys), bool)
    places = np.minimum(np.searchsorted(chosen, keys), len(chosen) - 1)
    found: np.ndarray = chosen[places] == keys
    return found
