"""Texts to unit vectors by a server: any that speaks OpenAI's `/embeddings`, such as vLLM, TEI, llama.cpp, a service.

What a server serves under a name can change. So the first contact is recorded in the user's cache: the dimension, what
the server says of its model, and the vector of one sentence. The first request of each process asks for that sentence
too. Where it comes back otherwise, nothing is embedded: vectors of two models must not be mixed.
"""

import contextlib
import json
import re
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from tokenizers import Tokenizer

from rag_platform.config.settings import ModelSettings
from rag_platform.core.errors import ModelError, StorageError
from rag_platform.core.ids import digest
from rag_platform.core.ports import Progress
from rag_platform.embeddings.embedding_model import EmbeddingModel
from rag_platform.llm.json_endpoint import Advice, JsonEndpoint
from rag_platform.models.cards import ModelCard
from rag_platform.models.onnx_runtime import encodable
from rag_platform.models.token_estimate import estimating_tokenizer
from rag_platform.models.vector_cache import VectorCache
from rag_platform.storage.atomic import write_bytes
from rag_platform.storage.user_cache import user_cache

PROBE = "The river bends twice before it reaches the old mill."
_SAME = 0.99
"""Cosine of the probe from which it is the same model: other hardware changes the last digits."""
_PATH = "/embeddings"
_MOST = 256_000_000
"""Bytes of an answer: 2,048 vectors of 4,096 numbers, written out."""
_ASSUMED_TOKENS = 512
"""What a server that does not say it is taken to read."""
_REQUESTS = 4
"""At the same time, unless `threads` says otherwise."""
_BLANK = "."
"""Embedded in the place of a text without any sign, which servers refuse."""
_REST = 15.0
"""Seconds for which a server that was out of reach is not asked again: people wait."""
_TOO_MUCH = re.compile(r"long|length|exceed|context|max|batch|large|too many|size", re.IGNORECASE)
_QUESTION_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Contact:
    """What a server said when it was first asked."""

    served: str
    """What it calls its model."""
    dimension: int
    max_tokens: int
    probe: list[float]


class ServerEmbedder(EmbeddingModel):
    """`POST {base_url}/embeddings`. It gives a vector for a text, and none for its tokens."""

    def __init__(
        self,
        settings: ModelSettings,
        *,
        cache: Path | None = None,
        pause: float = 0.5,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take what the first contact said, or make it; `pause` is the first wait before another try, in seconds.

        Raises:
            ModelError: It was never reached, and cannot be now.
        """
        advice = Advice("model", "model.name", settings.api_key_env, "lower model.batch")
        address = settings.base_url or ""
        self._server = JsonEndpoint(address, settings.api_key, settings.timeout, advice, most=_MOST, pause=pause)
        self._settings, self._now, self._rests_until = settings, now, 0.0
        self._record = (cache or user_cache()) / "servers" / f"{digest(settings.name, settings.revision or '')}.json"
        self._asked, self._checking = VectorCache(_QUESTION_BYTES), threading.Lock()
        recorded = _read(self._record)
        self._contact, self._checked = recorded or self._first_contact(), recorded is None
        card = _card(settings, self._contact)
        named = (settings.name, settings.revision or "", self._contact.served, card.query_prefix, card.passage_prefix)
        super().__init__(card, digest("openai", *named, str(card.dimension), str(card.max_tokens)))
        self.threads = settings.threads or _REQUESTS

    def embed_query(self, text: str) -> np.ndarray:
        """Embed a question: float32, shape (dimension,), unit length; not to be written to."""
        vector = self._asked.get(text)
        if vector is None:
            vector = self._embedded([self.card.query_prefix + text])[0]
            self._asked.put(text, vector)
        return vector

    def _embed_all(self, texts: Sequence[str], progress: Progress) -> np.ndarray:
        vectors, batch = np.empty((len(texts), self.dimension), np.float32), self._settings.batch
        starts = range(0, len(texts), batch)
        pool = ThreadPoolExecutor(self.threads)
        try:
            parts = ([self.card.passage_prefix + text for text in texts[start : start + batch]] for start in starts)
            for start, part in zip(starts, pool.map(self._embedded, parts), strict=True):
                vectors[start : start + len(part)] = part
                progress(start + len(part), len(texts))
        finally:
            pool.shutdown(cancel_futures=True)
        return vectors

    def _open_tokenizer(self) -> Tokenizer:
        return estimating_tokenizer()

    def _embedded(self, texts: Sequence[str]) -> np.ndarray:
        """Embed texts with their prefixes; the first request of the process also checks who answers."""
        cut = [self._cut(encodable(text)) for text in texts]
        with self._checking:
            if not self._checked:
                self._check(self._request([PROBE])[0][0])
        return self._unit(cut)

    def _check(self, probe: np.ndarray) -> None:
        known = np.array(self._contact.probe, np.float32)
        if len(probe) != len(known) or (near := float(_unit(probe) @ _unit(known))) < _SAME:
            how = f"{len(probe)} numbers" if len(probe) != len(known) else f"a cosine of {near:.2f} to those it had"
            raise ModelError(
                f"{self._server.base_url} answers as {self._settings.name} with other vectors than it first did "
                f"({how}, {len(known)} numbers). If its model was replaced, give it another `revision` in [model], any "
                "word, which embeds all anew; if not, see what it serves"
            )
        self._checked = True

    def _cut(self, text: str) -> str:
        """Cut a text to what the model reads, as far as that can be estimated."""
        if len(text) <= self.max_tokens or not text.strip():
            return text if text.strip() else _BLANK
        offsets = self.tokenizer.encode(text, add_special_tokens=False).offsets
        return text if len(offsets) <= self.max_tokens - 2 else text[: offsets[self.max_tokens - 3][1]]

    def _unit(self, texts: list[str]) -> np.ndarray:
        """Embed; where the server finds them too many or too long, fewer at a time, and at last a shorter text."""
        try:
            return _unit(self._request(texts)[0])
        except httpx.HTTPStatusError as error:
            if error.response.status_code not in (400, 413, 422) or not _TOO_MUCH.search(str(error)):
                raise ModelError(self._server.describe(error, _PATH)) from error
            if len(texts) > 1:
                half = len(texts) // 2
                return np.concatenate([self._unit(texts[:half]), self._unit(texts[half:])])
            if len(texts[0]) < 2 * self.max_tokens // 3:  # it is not the length
                raise ModelError(self._server.describe(error, _PATH)) from error
            return self._unit([texts[0][: len(texts[0]) * 2 // 3]])

    def _request(self, texts: list[str]) -> tuple[np.ndarray, str]:
        """Return vectors as the server gives them, and what it calls its model; a refusal is for `_unit` to judge."""
        if self._now() < self._rests_until:
            raise ModelError(f"{self._server.base_url} was out of reach a moment ago; it is asked again soon")
        body = {"model": self._settings.name, "input": texts, "encoding_format": "float"}
        try:
            return _vectors(answer := self._server.post(_PATH, body), len(texts)), str(answer.get("model") or "")
        except httpx.HTTPStatusError:
            raise
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            self._rests_until = self._now() + _REST
            raise ModelError(self._server.describe(error, _PATH)) from error
        except (ValueError, KeyError, TypeError, IndexError, OverflowError) as error:
            said = f"{self._server.base_url}{_PATH} gave no list of data with index and embedding ({error})"
            raise ModelError(f"{said}; is it an embeddings endpoint?") from error

    def _first_contact(self) -> Contact:
        """Ask who is there, and record it."""
        try:
            vectors, served = self._request([PROBE])
        except httpx.HTTPStatusError as error:
            raise ModelError(self._server.describe(error, _PATH)) from error
        said = self._described()
        contact = Contact(
            served=said.get("model_sha") or said.get("model_id") or said.get("root") or served or self._settings.name,
            dimension=vectors.shape[1],
            max_tokens=next((size for name in _SIZES if type(size := said.get(name)) is int), _ASSUMED_TOKENS),
            probe=np.round(vectors[0], 6).tolist(),
        )
        with contextlib.suppress(OSError, StorageError):  # where nobody may write, each process asks anew
            write_bytes(self._record, json.dumps(asdict(contact)).encode())
        return contact

    def _described(self) -> dict[str, Any]:
        """Return what the server says of the model: of vLLM in the list of models, of TEI at `/info`; {}: nothing."""
        root = self._server.base_url.removesuffix("/v1")
        for address in (f"{self._server.base_url}/models", f"{root}/info"):
            try:
                answer = self._server.get(address)
            except (httpx.HTTPError, ValueError):
                continue
            if isinstance(answer, dict) and "max_input_length" in answer:
                return answer
            listed = answer.get("data") if isinstance(answer, dict) else None
            for one in listed if isinstance(listed, list) else ():
                if isinstance(one, dict) and one.get("id") == self._settings.name and any(map(one.get, _SIZES)):
                    return one
        return {}


_SIZES = ("max_model_len", "max_input_length", "context_length")
"""How servers call what a model reads."""


def _card(settings: ModelSettings, contact: Contact) -> ModelCard:
    return ModelCard(
        name=settings.name,
        sha256=None,
        dimension=contact.dimension,
        max_tokens=settings.max_tokens or contact.max_tokens,
        query_prefix=settings.query_prefix or "",
        passage_prefix=settings.passage_prefix or "",
        languages=settings.languages or (),
    )


def _vectors(answer: Any, count: int) -> np.ndarray:
    """Return the vectors in the order of the texts: float32, shape (count, dimension)."""
    rows = sorted(answer["data"], key=lambda row: row["index"])
    if [row["index"] for row in rows] != list(range(count)):
        raise ValueError(f"{len(rows)} vectors for {count} texts")
    vectors = np.array([row["embedding"] for row in rows], np.float32)
    if vectors.ndim != 2 or not np.isfinite(vectors).all() or not (vectors != 0).any(axis=1).all():
        raise ValueError("a vector that is empty, zero or no number")
    return vectors


def _unit(vectors: np.ndarray) -> np.ndarray:
    unit: np.ndarray = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return unit


def _read(record: Path) -> Contact | None:
    try:
        return Contact(**json.loads(record.read_bytes()))
    except (OSError, ValueError, TypeError):
        return None
