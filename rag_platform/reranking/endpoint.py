"""A server's rerank endpoint: the API of Jina and Cohere, which vLLM and others speak too."""

from collections.abc import Callable, Sequence
from typing import Any

import httpx
import numpy as np

from rag_platform.config.settings import RerankerSettings
from rag_platform.core.errors import RerankError
from rag_platform.llm.json_endpoint import Advice, JsonEndpoint
from rag_platform.models.onnx_runtime import encodable

LONGEST = 10_000
"""Characters of a passage that are sent."""
_PATH = "/rerank"
_MOST = 32_000_000
"""Bytes of an answer; some servers send the passages back."""


class RerankEndpoint:
    """`POST {base_url}/rerank` with question and passages; fulfils `ports.Reranker`. Safe to use from threads."""

    calibrated = False
    weight = 2.0
    depth = 20
    margin = 1.0
    languages: tuple[str, ...] = ()

    def __init__(self, settings: RerankerSettings, api_key: str | None = None, pause: float = 0.5) -> None:
        """Connect on the first question; `pause` is the first wait before a retry, in seconds."""
        self.name = f"http:{settings.model or settings.base_url}"
        self.settings = settings
        advice = Advice("reranker", "reranker.model", settings.api_key_env, "lower retrieval.rerank_depth")
        self._server = JsonEndpoint(settings.base_url or "", api_key, settings.timeout, advice, most=_MOST, pause=pause)

    def score(self, question: str, passages: Sequence[str], weight: Callable[[str], float]) -> np.ndarray:  # noqa: ARG002  the port's
        """Return the server's relevance scores, float32, shape (len(passages),); their scale is the model's.

        Raises:
            RerankError: the server failed, or left passages out; they are NaN.
        """
        scores = np.full(len(passages), np.nan, np.float32)
        if not passages:
            return scores
        documents = [encodable(passage[:LONGEST]) for passage in passages]
        body = {"model": self.settings.model, "query": encodable(question), "documents": documents}
        try:
            answer = self._server.post(_PATH, {key: value for key, value in body.items() if value is not None})
            for place, score in _results(answer):
                scores[place] = score
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise RerankError(self._server.describe(error, _PATH), scores) from error
        except (ValueError, KeyError, TypeError, IndexError, OverflowError) as error:
            said = f"{self._server.base_url}{_PATH} gave no list of results with index and relevance_score ({error})"
            raise RerankError(f"{said}; is it a rerank endpoint?", np.full_like(scores, np.nan)) from error
        if missing := int(np.isnan(scores).sum()):
            raise RerankError(
                f"{self._server.base_url}{_PATH} judged {len(scores) - missing} of {len(scores)} passages", scores
            )
        return scores

    def relevance(self, scores: np.ndarray, words: np.ndarray, similarity: np.ndarray) -> np.ndarray:  # noqa: ARG002  the port's
        """Return NaN (float32): the scale is the server's, which does not state it."""
        return np.full_like(scores, np.nan)


def _results(answer: Any) -> list[tuple[int, float]]:
    """Return places and scores; a place that there is not, or a score that is no number, is an error."""
    pairs = [(result["index"], float(result["relevance_score"])) for result in answer["results"]]
    if wrong := [pair for pair in pairs if type(pair[0]) is not int or pair[0] < 0 or not np.isfinite(pair[1])]:
        raise ValueError(f"a result is {wrong[0]}")
    return pairs
