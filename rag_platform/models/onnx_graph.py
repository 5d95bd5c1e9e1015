"""A BERT encoder as an ONNX graph, written from its weights: safetensors in, one verified .onnx file out.

The graph (Devlin et al. 2019) uses ONNX Runtime's fused operators and takes one text at a time: nothing is padded,
so there is no mask. It gives the vector of every token and, pooled and of unit length, that of the text. The graph of a
cross-encoder takes a pair of texts and gives its score.
Quantised, weights are int8 with one scale per output channel; activations get their scale at run time.
"""

import json
import mmap
import os
import struct
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.external_data_helper import set_external_data
from safetensors import SafetensorError, safe_open

from rag_platform.core.errors import ModelError
from rag_platform.models.gpu.batched_graph import FORMS, batched
from rag_platform.models.packed_model import BLOCK, PackedModel, packed_file, packed_rows
from rag_platform.storage.atomic import atomic_write
from rag_platform.storage.user_cache import name_by_content

FUSED = "com.microsoft"
INPUTS = ("input_ids", "token_type_ids")
WORDS = "embeddings.word_embeddings.weight"
MANY_WORDS = 100_000
"""A model with more has their rows in four bits: at full precision they take three times what the rest takes."""
ROWS = 16_384
"""Of words that are packed at a time."""
WEIGHTS = ".weights"
"""Of the file with a graph's weights."""
MAPPED = 1024
"""Bytes of a tensor from which on it stands there."""
LARGEST = 2_000_000_000
"""Bytes of weights: a graph is one message of protobuf, which has a limit."""
ACTIVATIONS = {"gelu": "BiasGelu", "gelu_new": "FastGelu", "gelu_pytorch_tanh": "FastGelu"}
FIRST_POSITION = {"bert": 0, "roberta": 2, "xlm-roberta": 2}
"""Model type -> row of the position table that belongs to the first token (RoBERTa's begin after the padding's)."""


class Rows(Protocol):
    """A tensor, or what reads rows of it."""

    def __getitem__(self, rows: slice) -> np.ndarray: ...


class _Graph:
    """Nodes and weights under construction; each method adds one node and returns its output's name."""

    def __init__(self, weights: Mapping[str, Rows], epsilon: float) -> None:
        self.weights = weights
        self.epsilon = epsilon
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, name: str, values: np.ndarray) -> str:
        self.constants.append(numpy_helper.from_array(np.array(values, order="C"), name))
        return name

    def weight(self, name: str) -> np.ndarray:
        try:
            return np.asarray(self.weights[name][:], np.float32)
        except KeyError:
            raise ModelError(
                f"the weights have no tensor {name!r}; expected a BERT encoder saved by transformers"
            ) from None

    def node(self, operator: str, inputs: list[str], output: str, domain: str = "", **attributes: Any) -> str:
        self.nodes.append(helper.make_node(operator, inputs, [output], output, domain=domain, **attributes))
        return output

    def matmul(self, x: str, layer: str) -> str:
        weight = self.constant(f"{layer}.weight", self.weight(f"{layer}.weight").T)
        return self.node("MatMul", [x, weight], f"{layer}.product")

    def norm(self, name: str) -> list[str]:
        return [self.constant(f"{name}.{part}", self.weight(f"{name}.{part}")) for part in ("weight", "bias")]

    def embeddings(self, first: int, pairs: bool, packed: int) -> str:
        """Embed words and positions, of which the first token has row `first`, and in `pairs` the segments.

        So many rows of words as `packed` says are rounded to four bits; 0: all stay as they are.
        """
        rows = self.weight("embeddings.position_embeddings.weight")[first:]
        kinds = self.weight("embeddings.token_type_embeddings.weight")
        segments = ["", ""]
        if pairs and len(kinds) > 1:
            segments = ["token_type_ids", self.constant("segments", kinds)]
        else:  # all is one segment, so its vector is folded into the positions'
            rows = rows + kinds[0]
        positions = self.constant("positions", rows)
        if packed:
            return self.summed(self.packed_words(packed), positions, segments)
        words = self.constant("words", self.weight(WORDS))
        inputs = ["input_ids", segments[0], words, positions, segments[1], *self.norm("embeddings.LayerNorm")]
        output = "embeddings"
        self.nodes.append(
            helper.make_node(
                "EmbedLayerNormalization", inputs, [output, "unused"], output, domain=FUSED, epsilon=self.epsilon
            )
        )
        return output

    def packed_words(self, vocabulary: int) -> str:
        """Look words up in rows of four bits; they are packed piece by piece, for the table may be large."""
        table = self.weights[WORDS]
        parts = (np.asarray(table[at : at + ROWS], np.float32) for at in range(0, vocabulary, ROWS))
        numbers, scales = (np.concatenate(done) for done in zip(*map(packed_rows, parts), strict=True))
        shape = (len(numbers), numbers.shape[1] * 2)
        self.constants.append(helper.make_tensor("words", TensorProto.INT4, shape, numbers.tobytes(), raw=True))
        inputs = ["words", "input_ids", self.constant("words.scales", scales)]
        kinds = {"block_size": BLOCK, "gather_axis": 0, "quantize_axis": 1}
        return self.node("GatherBlockQuantized", inputs, "words.rows", FUSED, **kinds)

    def summed(self, words: str, positions: str, segments: list[str]) -> str:
        """Add positions and segments to the words, and normalise."""
        length = self.node("Shape", ["input_ids"], "length", start=1, end=2)
        begin = self.constant("begin", np.array([0]))
        x = self.node("Add", [words, self.node("Slice", [positions, begin, length, begin], "places")], "placed")
        if segments[0]:
            x = self.node("Add", [x, self.node("Gather", [segments[1], segments[0]], "kinds")], "told.apart")
        inputs = [x, *self.norm("embeddings.LayerNorm")]
        return self.node("LayerNormalization", inputs, "embeddings", axis=-1, epsilon=self.epsilon)

    def attention(self, x: str, layer: str, heads: int) -> str:
        names = [f"{layer}.attention.self.{part}" for part in ("query", "key", "value")]
        weight = np.concatenate([self.weight(f"{name}.weight").T for name in names], axis=1)
        bias = np.concatenate([self.weight(f"{name}.bias") for name in names])
        inputs = [x, self.constant(f"{layer}.qkv.weight", weight), self.constant(f"{layer}.qkv.bias", bias)]
        return self.node("Attention", inputs, f"{layer}.attention", FUSED, num_heads=heads)

    def residual(self, x: str, skipped: str, part: str) -> str:
        """Project, add what was skipped, normalise: in steps, for these together run twice as fast as fused."""
        bias = self.constant(f"{part}.dense.bias", self.weight(f"{part}.dense.bias"))
        biased = self.node("Add", [self.matmul(x, f"{part}.dense"), bias], f"{part}.biased")
        added = self.node("Add", [biased, skipped], f"{part}.added")
        inputs = [added, *self.norm(f"{part}.LayerNorm")]
        return self.node("LayerNormalization", inputs, f"{part}.sum", axis=-1, epsilon=self.epsilon)

    def layer(self, x: str, layer: str, heads: int, activation: str) -> str:
        attended = self.residual(self.attention(x, layer, heads), x, f"{layer}.attention.output")
        dense = f"{layer}.intermediate.dense"
        inputs = [self.matmul(attended, dense), self.constant(f"{dense}.bias", self.weight(f"{dense}.bias"))]
        wide = self.node(activation, inputs, f"{layer}.activation", FUSED)
        return self.residual(wide, attended, f"{layer}.output")

    def sentence(self, tokens: str, pooling: str) -> str:
        if pooling == "mean":
            pooled = self.node("ReduceMean", [tokens, self.constant("axis", np.array([1]))], "pooled", keepdims=0)
        else:
            pooled = self.node("Gather", [tokens, self.constant("first", np.array(0))], "pooled", axis=1)
        return self.node("LpNormalization", [pooled], "sentence", axis=-1, p=2)

    def full(self, x: str, layer: str, output: str) -> str:
        """Project in full precision."""
        inputs = [x, *(self.constant(f"{layer}.{part}", self.weight(f"{layer}.{part}")) for part in ("weight", "bias"))]
        return self.node("Gemm", inputs, output, transB=1)

    def judged(self, tokens: str, output: str) -> int:
        """Judge by the first token: a hidden layer, tanh, one number or one for each class; return how many."""
        hidden, last = ("pooler.dense", "classifier")
        if "classifier.dense.weight" in self.weights:  # RoBERTa's head has both
            hidden, last = ("classifier.dense", "classifier.out_proj")
        labels = len(self.weight(f"{last}.weight"))
        if output == "score" and labels != 1:
            raise ModelError(f"the model sorts into {labels} classes; expected a cross-encoder, which gives one score")
        if output == "classes" and labels < 2:
            raise ModelError("the model gives one score; expected one that sorts into classes")
        first = self.node("Gather", [tokens, self.constant("first", np.array(0))], "pooled", axis=1)
        self.full(self.node("Tanh", [self.full(first, hidden, "hidden")], "bent"), last, output)
        return labels


def bert_graph(
    weights: Mapping[str, Rows], config: Mapping[str, Any], pooling: str, *, packed: bool = False
) -> onnx.ModelProto:
    """Write the graph of a BERT encoder.

    Args:
        weights: Tensors by the names that transformers gives them, or what gives their rows when it is sliced.
        config: The content of the model's config.json.
        pooling: "mean" of the token vectors, "cls": the first one, "score": the one number of a cross-encoder, or
            "classes": its numbers of each class.
        packed: Whether the rows of words are rounded to four bits, in blocks of 32.

    Returns:
        A model that maps `input_ids` (int32, 1 x n) to `tokens` (float32, 1 x n x dimension: the last hidden
        state) and `sentence` (float32, 1 x dimension: unit length), or to `score` (float32, 1 x 1: a logit). A
        cross-encoder that tells the two texts apart also wants `token_type_ids` (int32, 1 x n).
    """
    weights = {name.removeprefix("bert.").removeprefix("roberta."): tensor for name, tensor in weights.items()}
    graph = _Graph(weights, config["layer_norm_eps"])
    activation = _supported(config, pooling)
    x = graph.embeddings(
        FIRST_POSITION[config["model_type"]], pooling in ("score", "classes"), packed and config["vocab_size"]
    )
    for number in range(config["num_hidden_layers"]):
        x = graph.layer(x, f"encoder.layer.{number}", config["num_attention_heads"], activation)
    if pooling in ("score", "classes"):
        return _model(graph, {pooling: [1, graph.judged(x, pooling)]})
    tokens = graph.node("Identity", [x], "tokens")
    graph.sentence(tokens, pooling)
    return _model(graph, {"tokens": [1, "n", config["hidden_size"]], "sentence": [1, config["hidden_size"]]})


def _supported(config: Mapping[str, Any], pooling: str) -> str:
    """Return the operator of the model's activation."""
    for key, known in (("model_type", FIRST_POSITION), ("hidden_act", ACTIVATIONS)):
        if config.get(key) not in known:
            raise ModelError(f"config.json: {key} = {config.get(key)!r}; expected one of {', '.join(known)}")
    if config.get("position_embedding_type", "absolute") != "absolute":
        raise ModelError(
            f"config.json: position_embedding_type = {config['position_embedding_type']!r}; expected absolute"
        )
    if pooling not in ("mean", "cls", "score", "classes"):
        raise ModelError(f"pooling {pooling!r}; expected mean, cls, score or classes")
    return ACTIVATIONS[config["hidden_act"]]


def _model(graph: _Graph, shapes: Mapping[str, list[Any]]) -> onnx.ModelProto:
    wanted = dict.fromkeys(name for node in graph.nodes for name in node.input if name in INPUTS)
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT32, [1, "n"]) for name in wanted]
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid(FUSED, 1)]
    body = helper.make_graph(graph.nodes, "bert", inputs, outputs, graph.constants)
    return helper.make_model(body, opset_imports=opsets, ir_version=10, producer_name="rag-platform")


def write_graph(folder: Path, pooling: str, precision: str, path: Path) -> None:
    """Write the graph of the model in `folder` to `path`, atomically.

    `precision` is "fp32" or "int8", or one of `batched_graph.FORMS`, which are of full precision.

    Its weights lie in a file beside it, whose name carries their hash: ONNX Runtime maps it, where it would copy what
    stands in the graph, so a session opens in a fifth of the time and processes share the memory.
    """
    weights, config = _read(folder)
    packed = precision == "int8" and config.get("vocab_size", 0) > MANY_WORDS
    model = bert_graph(weights, config, pooling, packed=packed)
    if precision in FORMS:
        model = batched(model, config["num_attention_heads"], precision)
    if precision == "int8":
        with atomic_write(path) as beside:
            _quantise(model, beside)
            model = onnx.load(beside)
    tensors = [one for one in model.graph.initializer if len(one.raw_data) >= MAPPED]
    with atomic_write(path.with_suffix(WEIGHTS)) as beside, beside.open("wb") as file:
        places = [_append(file, tensor.raw_data) for tensor in tensors]
    weights_file = name_by_content(path.with_suffix(WEIGHTS))
    for tensor, place in zip(tensors, places, strict=True):
        set_external_data(tensor, weights_file.name, place, len(tensor.raw_data))
        tensor.ClearField("raw_data")
    with atomic_write(path) as beside:
        onnx.save(model, beside)


def _append(file: BinaryIO, content: bytes) -> int:
    """Write at the beginning of a page, where it can be mapped, and return where that is."""
    file.seek(-file.tell() % mmap.ALLOCATIONGRANULARITY, os.SEEK_CUR)
    place = file.tell()
    file.write(content)
    return place


def _read(folder: Path) -> tuple[Mapping[str, Rows], Mapping[str, Any]]:
    """Return the weights, which are read when they are asked for, and the configuration."""
    if packed := packed_file(folder):
        model = PackedModel(packed)
        return model.weights, model.config
    path = folder / "model.safetensors"
    try:
        if (size := path.stat().st_size) > LARGEST:
            raise ModelError(
                f"the weights in {folder} have {size / 1e9:.1f} GB; a graph can hold {LARGEST / 1e9:.0f} GB. "
                "Choose a smaller model, or let a server run this one"
            )
        opened: Any = safe_open(path, "np")
        weights = {name: opened.get_slice(name) for name in opened.keys()}  # noqa: SIM118  no mapping
        return weights, json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, SafetensorError, json.JSONDecodeError, struct.error) as error:
        raise ModelError(
            f"the model in {folder} cannot be read: {error}; move the folder aside and pull it again"
        ) from error


def _quantise(model: onnx.ModelProto, path: Path) -> None:
    # imported here: slow, and needed once
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.quantization.quant_utils import add_pre_process_metadata

    add_pre_process_metadata(model)  # or the quantiser configures the root logger to warn that it is missing
    quantize_dynamic(
        model,
        path,
        op_types_to_quantize=["MatMul", "Attention"],
        per_channel=True,
        weight_type=QuantType.QInt8,
        extra_options={"DefaultTensorType": TensorProto.FLOAT},  # fused operators hide the types from inference
    )


if __name__ == "__main__":
    try:
        write_graph(Path(sys.argv[1]), sys.argv[2], sys.argv[3], Path(sys.argv[4]))
    except ModelError as error:
        sys.exit(str(error))
