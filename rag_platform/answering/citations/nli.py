"""A check by natural language inference: a cross-encoder that tells whether one text follows from another.

Its premise is the quote, its hypothesis the claim. As a measure of whether a summary is true to its source this is
known from Laban et al., "SummaC", TACL 2022, and as a check of generated sentences against quotes from Honovich et al.,
"TRUE", NAACL 2022.
"""

import json
import time
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from onnxruntime import InferenceSession
from tokenizers import Tokenizer

from rag_platform.answering.citations.claim_checks import Judgement
from rag_platform.config.settings import CheckSettings, ModelSettings
from rag_platform.core.errors import ModelError
from rag_platform.core.lazy import locked_cached_property
from rag_platform.models.cards import ModelCard, find_card
from rag_platform.models.graph_cache import cached_graph
from rag_platform.models.onnx_runtime import LONGEST_TOKEN, encodable, open_session, open_tokenizer
from rag_platform.models.weight_files import weights_checksum
from rag_platform.models.weights import locate
from rag_platform.storage.user_cache import user_cache

DEFAULT = "nli-MiniLM2-L6-H768"
_LABELS = "entailment", "contradiction"


class NliCheck:
    """A BERT or RoBERTa classifier with a class "entailment"; fulfils `claim_checks.Check`. Safe to use from threads.

    A pair that is too long is cut at the quote's end. What is not judged in time is left to the verdict without it.
    """

    def __init__(self, settings: CheckSettings, cache: Path | None = None) -> None:
        """Open the model of the settings when it is first needed; its graph is written into `cache`."""
        self.name = f"nli:{settings.model or DEFAULT}"
        self._settings = settings
        self._chosen = ModelSettings(name=settings.model or DEFAULT, folder=settings.folder)
        self._cache = cache

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement | None]:
        """Judge each (claim, quote) by the probabilities of the classes; see `claim_checks.Check`.

        Raises:
            ModelError: the model cannot be had, or sorts into other classes.
        """
        end = time.monotonic() + self._settings.timeout
        return [self._judge(*pair) if time.monotonic() < end else None for pair in pairs]

    def _judge(self, claim: str, quote: str) -> Judgement:
        tokenizer, session, labels = self._opened
        longest = LONGEST_TOKEN * self._card.max_tokens
        pair = tokenizer.encode(encodable(quote)[:longest], encodable(claim)[:longest])
        values = {"input_ids": pair.ids, "token_type_ids": pair.type_ids}
        inputs = {one.name: np.array([values[one.name]], np.int32) for one in session.get_inputs()}
        logits = session.run(["classes"], inputs)[0][0].astype(np.float64)
        likely = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
        supported, contradicted = (likely[labels[name]] if name in labels else 0.0 for name in _LABELS)
        return Judgement(float(supported), float(contradicted))

    @cached_property
    def _card(self) -> ModelCard:
        return find_card(self._chosen, "entailment")

    @locked_cached_property
    def _opened(self) -> tuple[Tokenizer, InferenceSession, dict[str, int]]:
        folder = locate(self._chosen, "entailment")
        checksum, graphs = weights_checksum(self._card, folder), (self._cache or user_cache()) / self._card.name
        graph = cached_graph(folder, checksum, "classes", "int8", graphs)
        tokenizer = open_tokenizer(folder, self._card.max_tokens, "longest_first")
        return tokenizer, open_session(graph), _labels(folder)


def _labels(folder: Path) -> dict[str, int]:
    """Return the number of each class by its name; `ModelError` when none says that the claim follows."""
    labels = json.loads((folder / "config.json").read_text(encoding="utf-8")).get("id2label", {})
    numbers = {label.lower(): int(number) for number, label in labels.items()}
    if _LABELS[0] in numbers:
        return numbers
    raise ModelError(
        f"the model in {folder} sorts into {', '.join(labels.values()) or 'classes without names'}; expected one "
        f"called {_LABELS[0]!r}: choose a model of natural language inference in [check]"
    )
