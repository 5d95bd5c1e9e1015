"""Defects of the platform itself, put where a careless change would put them, while a block runs."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import numpy as np

from rag_platform.documents import raw_reader
from rag_platform.documents.extracted import Part
from rag_platform.documents.reading.unpacking import read_parts
from rag_platform.documents.sandbox.pool import Sandbox
from rag_platform.embeddings.onnx_embedder import OnnxEmbedder

LOSSES: dict[str, Callable[[str], str]] = {
    "the first tenth alone": lambda text: text[: len(text) // 10],
    "headings, lists and code lost, lines joined": lambda text: re.sub(r"(?m)^(#+|[-*]|```.*) *|\s+", " ", text),
    "every other paragraph lost": lambda text: "\n\n".join(text.split("\n\n")[::2]),
    "the words joined": lambda text: re.sub(r" +", "", text),
}


@contextmanager
def reader(lose: Callable[[str], str]) -> Iterator[None]:
    """Lose text of everything that is read."""

    def here(_: Sandbox, content: bytes, __boundary: str = "", **about: object) -> list[Part]:
        """Read in this process, where the defect is."""
        about.pop("boundary")
        parts = [part for part in read_parts(content, **about) if isinstance(part, Part)]
        return [replace(part, read=part.read and replace(part.read, text=lose(part.read.text))) for part in parts]

    with patch.object(raw_reader, "VERSION", "broken"), patch.object(Sandbox, "read", here):
        yield


@contextmanager
def shuffled(seed: int, *, within: bool) -> Iterator[None]:
    """Embed wrongly: the vectors among the texts, or the numbers within each vector, are in another order."""
    embed = OnnxEmbedder.embed_passages

    def embed_wrongly(self: OnnxEmbedder, texts: list[str], *more: object) -> np.ndarray:
        vectors, chance = embed(self, texts, *more), np.random.default_rng(seed)
        return vectors[:, chance.permutation(self.dimension)] if within else vectors[chance.permutation(len(vectors))]

    def but_the_fingerprint(self: object, name: str, value: object) -> None:
        if name != "fingerprint":
            object.__setattr__(self, name, value)

    with ExitStack() as defects:
        defects.enter_context(patch.object(OnnxEmbedder, "embed_passages", embed_wrongly))
        broken = property(lambda _: "broken")  # so that all is embedded anew
        defects.enter_context(patch.object(OnnxEmbedder, "fingerprint", broken, create=True))
        defects.enter_context(patch.object(OnnxEmbedder, "__setattr__", but_the_fingerprint, create=True))
        yield


def write_wrong_model(folder: Path) -> None:
    """Write a model of weights of chance."""
    with patch.dict(os.environ):  # the tests' settings are not ours
        from tests.conftest import write_tiny_model
    write_tiny_model(folder)
