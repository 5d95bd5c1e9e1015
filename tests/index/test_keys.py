"""Sets of keys as ascending arrays, against numpy's own."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rag_platform.index.keys import among, union

KEYS = st.sets(st.integers(0, 2**64 - 1) | st.integers(0, 20)).map(lambda keys: np.array(sorted(keys), np.uint64))


@given(st.lists(KEYS, min_size=1, max_size=4))
def test_a_union_is_ascending_and_has_each_key_once(parts):
    found = union(parts)
    assert found.dtype == np.uint64
    assert found.tolist() == np.unique(np.concatenate(parts)).tolist()


@given(KEYS, KEYS)
def test_what_is_among_others(keys, chosen):
    assert among(keys, chosen).tolist() == np.isin(keys, chosen).tolist()
