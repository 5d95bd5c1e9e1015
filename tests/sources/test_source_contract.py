"""What every kind of source must keep to, over all built-in kinds."""

import importlib.util
from pathlib import Path

import pytest

from rag_platform.pipeline.source_contract import SourceContract

spec = importlib.util.spec_from_file_location("source_worlds", Path(__file__).with_name("source_worlds.py"))
source_worlds = importlib.util.module_from_spec(spec)
spec.loader.exec_module(source_worlds)


class TestEveryKind(SourceContract):
    @pytest.fixture(params=[*source_worlds.WORLDS, *source_worlds.SERVED])
    def world(self, request, tmp_path):
        return source_worlds.make(request, tmp_path)
