"""An ONNX graph that others wrote: its inputs and outputs by their names, and the pooling that its graph leaves out."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rag_platform.core.errors import ModelError
from rag_platform.models.onnx_runtime import open_session

OWN_KINDS = ("bert", "roberta", "xlm-roberta")
"""Kinds of encoders for which `onnx_graph` writes a graph from the weights."""
GRAPHS = ("model.onnx", "onnx/model.onnx")
"""Where exporters put the graph, from the model's folder."""
_INPUTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "input_ids": lambda ids: ids,
    "attention_mask": np.ones_like,
    "token_type_ids": np.zeros_like,
    "position_ids": lambda ids: np.arange(ids.shape[1])[None, :],
}
"""What a graph may ask for of one text, which is not padded."""
_TOKENS = ("last_hidden_state", "token_embeddings", "hidden_states")
_SENTENCE = "sentence_embedding"
POOLINGS = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_lasttoken": "last",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean",  # of the same direction
}
"""The keys of sentence-transformers' 1_Pooling/config.json."""


def graph_of(folder: Path) -> Path | None:
    """Return the graph that lies in a folder; None: there is none, or one is written from the weights there."""
    graph = next((folder / name for name in GRAPHS if (folder / name).is_file()), None)
    kind = _read(folder / "config.json").get("model_type")
    return None if kind in OWN_KINDS and (folder / "model.safetensors").is_file() else graph


def pooling_of(folder: Path) -> str:
    """Return how a model's token vectors become one: what its configuration says, else their mean."""
    config = _read(folder / "1_Pooling" / "config.json")
    if named := config.get("pooling_mode"):  # as sentence-transformers 6 writes it
        chosen = {"lasttoken": "last", "mean_sqrt_len_tokens": "mean"}.get(named, named)
    else:
        chosen = next((pooling for key, pooling in POOLINGS.items() if config.get(key)), "mean")
    if chosen not in POOLINGS.values():
        raise ModelError(
            f"{folder / '1_Pooling' / 'config.json'} asks for the pooling {chosen!r}; expected one of "
            f"{', '.join(sorted(set(POOLINGS.values())))}. Run the model with runtime = 'sentence-transformers'"
        )
    return str(chosen)


class ForeignGraph:
    """Runs as the graphs do that we write: `input_ids` to `tokens` and `sentence`. Safe to use from threads."""

    def __init__(self, path: Path, pooling: str) -> None:
        """Open a graph.

        Raises:
            ModelError: It wants what is not known here, or gives no vectors of tokens.
        """
        self._session, self._pooling = open_session(path), pooling
        self._wanted = {one.name: np.int32 if "int32" in one.type else np.int64 for one in self._session.get_inputs()}
        if unknown := sorted(set(self._wanted) - set(_INPUTS)):
            raise ModelError(f"{path} wants {', '.join(unknown)}; only {', '.join(_INPUTS)} can be given")
        ranks = {one.name: len(one.shape) for one in self._session.get_outputs()}
        tokens = [name for name in (*_TOKENS, *ranks) if ranks.get(name) == 3]
        if not tokens:
            raise ModelError(
                f"{path} gives {', '.join(ranks)}, and none of them is a vector for each token. Export the model with "
                "its last hidden state, or run it with runtime = 'sentence-transformers'"
            )
        self._tokens = tokens[0]
        self.pools = _SENTENCE in ranks
        """Whether the graph itself makes one vector of those of the tokens, by all the model's layers."""

    def run(self, outputs: Sequence[str], feed: Mapping[str, np.ndarray]) -> list[np.ndarray]:
        """Return `tokens` (float32, 1 x n x dimension) or `sentence` (float32, 1 x dimension, unit length)."""
        inputs = {name: _INPUTS[name](feed["input_ids"]).astype(kind) for name, kind in self._wanted.items()}
        return [self._tokens_of(inputs) if name == "tokens" else self._sentence_of(inputs) for name in outputs]

    def _tokens_of(self, inputs: dict[str, np.ndarray]) -> np.ndarray:
        return np.asarray(self._session.run([self._tokens], inputs)[0], np.float32)

    def _sentence_of(self, inputs: dict[str, np.ndarray]) -> np.ndarray:
        if self.pools:
            pooled = np.asarray(self._session.run([_SENTENCE], inputs)[0], np.float32)
        else:
            pooled = _pooled(self._tokens_of(inputs), self._pooling)
        unit: np.ndarray = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
        return unit


def _pooled(tokens: np.ndarray, pooling: str) -> np.ndarray:
    """Return one vector of those of a text's tokens: float32, 1 x dimension."""
    match pooling:
        case "cls":
            return tokens[:, 0]
        case "last":
            return tokens[:, -1]
        case "max":
            highest: np.ndarray = tokens.max(axis=1)
            return highest
    mean: np.ndarray = tokens.mean(axis=1)
    return mean


def _read(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise ModelError(f"{path} is not valid JSON: {error}") from error
