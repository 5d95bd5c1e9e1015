"""Pairs of texts sorted into classes by a cross-encoder, whose graph is written from its weights or lies with them."""

import json
from pathlib import Path

import numpy as np
from onnxruntime import InferenceSession

from rag_platform.core.errors import ModelError
from rag_platform.models.calibration import sigmoid
from rag_platform.models.cards import WEIGHTS, ModelCard
from rag_platform.models.foreign_graph import GRAPHS, graph_of
from rag_platform.models.graph_cache import cached_graph
from rag_platform.models.onnx_runtime import LONGEST_TOKEN, encodable, open_session, open_tokenizer
from rag_platform.models.weight_files import weights_checksum

_GIVEN = ("input_ids", "attention_mask", "token_type_ids")
"""Inputs of a graph that others wrote; those that we write want no mask."""
_KINDS = {"tensor(int32)": np.int32, "tensor(int64)": np.int64}


class PairClassifier:
    """A model for sequence classification, as transformers saves it. Safe to use from threads."""

    def __init__(self, folder: Path, card: ModelCard, *, precision: str, cache: Path) -> None:
        """Open the model whose files lie in `folder`; a graph that has to be written is written into `cache`.

        Raises:
            ModelError: The model is of a kind that is neither written here nor lies there as an ONNX graph.
        """
        self.labels = labels_of(folder)
        """What its configuration calls the classes, in their order."""
        self.tokenizer = open_tokenizer(folder, None)
        """Cuts nothing, for whoever has to know how long a text is."""
        self.max_tokens = card.max_tokens
        self._pairs = open_tokenizer(folder, card.max_tokens, "longest_first")
        self._session = open_session(graph_of(folder) or self._written(folder, card, precision, cache))
        self._output = _output(self._session, folder)
        self._kinds = {one.name: _KINDS.get(one.type) for one in self._session.get_inputs()}
        if unknown := [name for name, kind in self._kinds.items() if kind is None or name not in _GIVEN]:
            raise ModelError(f"the graph in {folder} wants {', '.join(unknown)}; only {', '.join(_GIVEN)} can be given")

    def probabilities(self, first: str, second: str) -> np.ndarray:
        """Return how probable each class is of a pair: float64, shape (classes,). What is too long is cut at its end.

        A model with one class gives the probability of that.
        """
        longest = LONGEST_TOKEN * self.max_tokens
        pair = self._pairs.encode(encodable(first)[:longest], encodable(second)[:longest])
        values = {"input_ids": pair.ids, "attention_mask": [1] * len(pair.ids), "token_type_ids": pair.type_ids}
        inputs = {name: np.array([values[name]], kind) for name, kind in self._kinds.items()}
        logits = np.asarray(self._session.run([self._output], inputs)[0][0], np.float64)
        if len(logits) != len(self.labels):
            raise ModelError(f"the model sorts into {len(logits)} classes; its config.json names {len(self.labels)}")
        if len(logits) == 1:
            return np.asarray(sigmoid(logits), np.float64)
        likely = np.exp(logits - logits.max())
        return np.asarray(likely / likely.sum())

    def _written(self, folder: Path, card: ModelCard, precision: str, cache: Path) -> Path:
        if not (folder / WEIGHTS).is_file():
            raise ModelError(
                f"{folder} holds neither {WEIGHTS} nor {' nor '.join(GRAPHS)}; save the model with transformers "
                "(`save_pretrained`), which writes safetensors, and name its folder"
            )
        kind = "score" if len(self.labels) == 1 else "classes"
        return cached_graph(folder, weights_checksum(card, folder), kind, precision, cache / card.name)


def labels_of(folder: Path) -> tuple[str, ...]:
    """Return the names of a model's classes; where its configuration has none, there are two, as in transformers."""
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    named = config.get("id2label") or {"0": "LABEL_0", "1": "LABEL_1"}
    return tuple(named[number] for number in sorted(named, key=int))


def _output(session: InferenceSession, folder: Path) -> str:
    """Return the output that has a number for each class."""
    ranks = {one.name: len(one.shape) for one in session.get_outputs()}
    found = [name for name in ("logits", "classes", "score", *ranks) if ranks.get(name) == 2]
    if not found:
        raise ModelError(f"the graph in {folder} gives {', '.join(ranks)}; expected one number for each class")
    return str(found[0])
