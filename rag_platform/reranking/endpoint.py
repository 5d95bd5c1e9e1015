"""A server's rerank endpoint: the API of Jina and Cohere, which vLLM and others speak too."""

import json
import time
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import httpx
import numpy as np
import tenacity

from rag_platform.config.settings import RerankerSettings
from rag_platform.core.errors import RerankError
from rag_platform.core.lazy import locked_cached_property
from rag_platform.models.onnx_runtime import encodable

LONGEST = 10_000
"""Characters of a passage that are sent."""
_MOST = 32_000_000
"""Bytes of an answer; some servers send the passages back."""


class RerankEndpoint:
    """`POST {base_url}/rerank` with question and passages; fulfils `ports.Reranker`. Safe to use from threads."""

    calibrated = False
    weight = 2.0
    margin = 1.0
    languages: tuple[str, ...] = ()

    def __init__(self, settings: RerankerSettings, api_key: str | None = None, pause: float = 0.5) -> None:
        """Connect on the first question; `pause` is the first wait before a retry, in seconds."""
        self.name = f"http:{settings.model or settings.base_url}"
        self.settings = settings
        self._address = f"{(settings.base_url or '').rstrip('/')}/rerank"
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._pause = pause

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
            answer = self._post({key: value for key, value in body.items() if value is not None})
            for place, score in _results(answer):
                scores[place] = score
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise RerankError(self._describe(error), scores) from error
        except (ValueError, KeyError, TypeError, IndexError, OverflowError) as error:
            said = f"{self._address} gave no list of results with index and relevance_score ({error})"
            raise RerankError(f"{said}; is it a rerank endpoint?", np.full_like(scores, np.nan)) from error
        if missing := int(np.isnan(scores).sum()):
            raise RerankError(f"{self._address} judged {len(scores) - missing} of {len(scores)} passages", scores)
        return scores

    def relevance(self, scores: np.ndarray, words: np.ndarray, similarity: np.ndarray) -> np.ndarray:  # noqa: ARG002  the port's
        """Return NaN (float32): the scale is the server's, which does not state it."""
        return np.full_like(scores, np.nan)

    def _post(self, body: dict[str, Any]) -> Any:
        """Send the request, up to three times within the time; a time-out is not tried again."""
        end = time.monotonic() + self.settings.timeout
        for attempt in tenacity.Retrying(
            retry=tenacity.retry_if_exception(_may_pass),
            stop=tenacity.stop_after_attempt(3) | tenacity.stop_after_delay(self.settings.timeout),
            wait=tenacity.wait_random_exponential(multiplier=self._pause, max=8),
            reraise=True,
        ):
            with attempt:
                answer = self._post_once(body, end)
        return answer

    def _post_once(self, body: dict[str, Any], end: float) -> Any:
        left = max(0.001, end - time.monotonic())
        timeout = httpx.Timeout(left, connect=min(5.0, left))
        with self._client.stream("POST", self._address, json=body, timeout=timeout) as response:
            content = bytearray()
            for piece in response.iter_bytes():
                content += piece
                if time.monotonic() > end:
                    raise httpx.ReadTimeout("the answer is still coming", request=response.request)
                if len(content) > _MOST:
                    raise ValueError(f"more than {_MOST} bytes")
            if not response.is_success:
                said = " ".join(content.decode("utf-8", "replace").split())[:300]
                raise httpx.HTTPStatusError(said, request=response.request, response=response)
        return json.loads(content)

    @locked_cached_property
    def _client(self) -> httpx.Client:
        client = httpx.Client(headers=self._headers)
        weakref.finalize(self, client.close)
        return client

    def _describe(self, error: Exception) -> str:
        """Say what the server did, and what to do about it."""
        if isinstance(error, httpx.TimeoutException):
            return (
                f"{self._address} did not answer within {self.settings.timeout:g} s; "
                "raise reranker.timeout or lower retrieval.rerank_depth"
            )
        if not isinstance(error, httpx.HTTPStatusError):
            return f"{self._address} cannot be reached ({error}); is it running, and is reranker.base_url right?"
        status = error.response.status_code
        advice = {
            401: f"put its key in the variable {self.settings.api_key_env}",
            403: f"the key in the variable {self.settings.api_key_env} may not use this model",
            404: "check reranker.base_url (it usually ends in /v1) and reranker.model",
            429: "it has too many requests; wait, or use a server with more room",
        }.get(status, "look at the server's log")
        return f"{self._address} answered {status} ({error}); {advice}"


def _results(answer: Any) -> list[tuple[int, float]]:
    """Return places and scores; a place that there is not, or a score that is no number, is an error."""
    pairs = [(result["index"], float(result["relevance_score"])) for result in answer["results"]]
    if wrong := [pair for pair in pairs if type(pair[0]) is not int or pair[0] < 0 or not np.isfinite(pair[1])]:
        raise ValueError(f"a result is {wrong[0]}")
    return pairs


def _may_pass(error: BaseException) -> bool:
    """Return whether a second try may help: no connection, a broken one, 429 or 5xx; never a time-out."""
    if isinstance(error, httpx.HTTPStatusError):
        return error.response.status_code == 429 or error.response.status_code >= 500
    return isinstance(error, httpx.TransportError) and not isinstance(error, httpx.TimeoutException)
