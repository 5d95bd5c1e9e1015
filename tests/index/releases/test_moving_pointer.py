"""Readers in other processes follow the pointer without one failed or mixed query."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks.moving_pointer import run, small

pytestmark = pytest.mark.slow


def test_no_query_fails_or_mixes_versions_while_the_pointer_moves(
    tmp_path: Path, model_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))  # else readers run a page that a test left
    seen = run(small(tmp_path), queries=400, moves=16)
    assert [one.problems for one in seen] == [[], []]
    assert any(one.noticed for one in seen)  # on a busy machine one may be done before the first move
    assert sum(sum(one.versions.values()) for one in seen) == 800
