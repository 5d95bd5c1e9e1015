"""A check by natural language inference: a cross-encoder that tells whether one text follows from another.

Its premise is the source, its hypothesis the claim. As a measure of whether a summary is true to its source this is
known from Laban et al., "SummaC", TACL 2022, and as a check of generated sentences from Honovich et al., "TRUE",
NAACL 2022. Models that were trained for this alone tell "supported" from the rest: Tang et al., "MiniCheck",
EMNLP 2024.
"""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from rag_platform.answering.checks.check import Judgement
from rag_platform.answering.checks.pair_classifier import PairClassifier
from rag_platform.answering.checks.windows import nearest, windows
from rag_platform.config.settings import CheckSettings, ModelSettings
from rag_platform.core.errors import ModelError, RagError
from rag_platform.core.lazy import locked_cached_property
from rag_platform.models.cards import CARDS, ModelCard, describe_folder, find_card
from rag_platform.models.foreign_graph import graph_of
from rag_platform.models.onnx_runtime import cores, encodable
from rag_platform.models.weight_files import files_checksum
from rag_platform.models.weights import is_repository, locate
from rag_platform.storage.user_cache import user_cache
from rag_platform.text.language import may_be

DEFAULT = "nli-MiniLM2-L6-H768"
_SUPPORTED = {"entailment", "supported", "supports", "consistent"}
_CONTRADICTED = {"contradiction", "contradicted", "refuted", "refutes"}
_SPECIAL = 4
"""Tokens of a pair that belong to neither text."""
_SHORTEST = 32
"""Tokens of a source that are read at a time, however long the claim is."""


class _Opened(NamedTuple):
    model: PairClassifier
    supported: int
    """The class that says that a claim follows."""
    contradicted: int | None
    """The one that says that it is contradicted; None: the model does not tell."""
    languages: tuple[str, ...]
    """That it reads; empty: not stated."""


class NliCheck:
    """A classifier of pairs with two or three classes, or with one; fulfils `Check`. Safe to use from threads.

    A source longer than `window` tokens is read in pieces, and counts by the piece that supports the claim most and by
    the one that contradicts it most. A claim in a language that the model does not read is not judged, nor is one for
    which there is no time.
    """

    def __init__(self, settings: CheckSettings, cache: Path | None = None) -> None:
        """Open the model of the settings when it is first needed; its graph is written into `cache`."""
        self._settings = settings
        self._chosen = ModelSettings(name=settings.model or DEFAULT, folder=settings.folder, revision=settings.revision)
        self._cache = cache or user_cache()

    @cached_property
    def name(self) -> str:
        """The model, with the beginning of its revision, or of the checksum of the files in its folder."""
        card, folder = CARDS.get(self._chosen.name), self._chosen.folder
        revision = self._chosen.revision or (card.revision if card else None) or ""
        checksum = files_checksum(folder) if folder and folder.is_dir() else revision
        return f"nli:{self._chosen.name} {checksum[:8]}".rstrip()

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement | None]:
        """Judge each (claim, source) by the probabilities of the classes; see `Check`.

        Raises:
            ModelError: the model cannot be had, or none of its classes says that the claim follows.
        """
        if not pairs:
            return []
        opened, end = self._opened, time.monotonic() + self._settings.timeout
        with ThreadPoolExecutor(min(cores(), len(pairs))) as pool:
            return list(pool.map(lambda pair: self._judge(opened, pair, end), pairs))

    def _judge(self, opened: _Opened, pair: tuple[str, str], end: float) -> Judgement | None:
        claim, source = encodable(pair[0]), encodable(pair[1])
        if opened.languages and not may_be(claim, opened.languages):
            return None
        tokenizer = opened.model.tokenizer
        said = len(tokenizer.encode(claim, add_special_tokens=False).ids)
        room = max(_SHORTEST, min(self._settings.window, opened.model.max_tokens - _SPECIAL - said))
        tokens = tokenizer.encode(source, add_special_tokens=False).offsets
        likely = []
        for piece in nearest(claim, windows(source, tokens, room)):
            if time.monotonic() > end:
                return None
            likely.append(opened.model.probabilities(piece, claim))
        best = np.max(likely, axis=0)
        denied = opened.contradicted
        return Judgement(float(best[opened.supported]), 0.0 if denied is None else float(best[denied]))

    @locked_cached_property
    def _opened(self) -> _Opened:
        folder, card = _found(self._chosen)
        try:
            model = PairClassifier(folder, card, precision=self._settings.precision, cache=self._cache)
        except RagError:
            raise
        except Exception as error:  # tokenizers and ONNX Runtime have no errors of their own
            raise ModelError(f"the model in {folder} cannot be opened: {error}; fetch or copy it again") from error
        meaning = _meaning(self._settings.labels or model.labels, len(model.labels), folder)
        return _Opened(model, *meaning, card.languages)


def _found(chosen: ModelSettings) -> tuple[Path, ModelCard]:
    """Return where a model's files lie, fetched if need be, and its card."""
    if chosen.folder and chosen.name not in CARDS and graph_of(chosen.folder):
        return chosen.folder, describe_folder(chosen.name, chosen.folder, "entailment")
    folder = locate(chosen, "entailment")
    known = find_card if not is_repository(chosen.name) or chosen.folder else None
    return folder, known(chosen, "entailment") if known else describe_folder(chosen.name, folder, "entailment")


def _meaning(labels: Sequence[str], classes: int, folder: Path) -> tuple[int, int | None]:
    """Return the class that says that a claim follows, and the one that says that it is contradicted, if there is one.

    Of one class or two without names the last is taken for support, as models for checking facts have it.
    """
    plain = [label.lower() for label in labels]
    supported = next((at for at, label in enumerate(plain) if label in _SUPPORTED), None)
    if supported is None and classes <= 2 and all(label.startswith("label_") for label in plain):
        supported = classes - 1
    if supported is None or len(labels) != classes:
        raise ModelError(
            f"the model in {folder} sorts into {classes} classes, called {', '.join(labels)}; expected one of them to "
            f"be called {' or '.join(sorted(_SUPPORTED))}. Say in `labels` of [check] what they mean, in their order, "
            'such as ["entailment", "neutral", "contradiction"], or choose another model'
        )
    return supported, next((at for at, label in enumerate(plain) if label in _CONTRADICTED), None)
