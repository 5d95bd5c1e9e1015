"""A written graph for a graphics card: many texts at a time, padded, with a mask that keeps the padding out.

CUDA has kernels for the fused operators. TensorRT reads standard ones alone, so `plain` writes these instead.
"""

from collections.abc import Iterator

import numpy as np
import onnx
from onnx import NodeProto, TensorProto, helper, numpy_helper

FORMS = ("masked", "plain")
"""With fused operators, and without."""
MASK = "attention_mask"
_LEAST = float(np.finfo(np.float32).min) / 2
"""Added to the score of a padded place, of which the softmax leaves nothing."""


def batched(model: onnx.ModelProto, heads: int, form: str) -> onnx.ModelProto:
    """Turn the graph of one text into that of a batch.

    Args:
        model: As `bert_graph` makes it, in full precision; it is changed.
        heads: Of its attention.
        form: One of `FORMS`.

    Returns:
        A model that maps `input_ids` and `attention_mask` (int32, batch x n, 1 for a token and 0 for padding, which
        stands at the end) to `tokens` (float32, batch x n x dimension) and `sentence` (float32, batch x dimension: unit
        length).
    """
    graph, nodes = model.graph, list[NodeProto]()
    graph.initializer.append(numpy_helper.from_array(np.array([-1]), "last"))
    graph.initializer.append(numpy_helper.from_array(np.array([1]), "middle"))
    nodes.append(helper.make_node("Cast", [MASK], ["mask.float"], to=TensorProto.FLOAT))
    nodes.append(helper.make_node("Unsqueeze", ["mask.float", "last"], ["mask.column"]))
    nodes += _bias(graph) if form == "plain" else ()
    hidden = graph.output[0].type.tensor_type.shape.dim[2].dim_value
    for node in graph.node:
        nodes += _rewritten(graph, node, heads, hidden, plain=form == "plain")
    del graph.node[:], graph.input[:], graph.output[:]
    graph.node.extend(nodes)
    graph.input.extend(
        helper.make_tensor_value_info(name, TensorProto.INT32, ["batch", "n"]) for name in ("input_ids", MASK)
    )
    shapes = {"tokens": ["batch", "n", hidden], "sentence": ["batch", hidden]}
    graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, shapes[name]) for name in shapes)
    model.opset_import[0].version = 20  # the first with Gelu
    return model


def _rewritten(graph: onnx.GraphProto, node: NodeProto, heads: int, hidden: int, *, plain: bool) -> Iterator[NodeProto]:
    match node.op_type:
        case "Attention" if plain:
            yield from _attention(graph, node, heads, hidden)
        case "Attention":
            node.input.append(MASK)
            yield node
        case "EmbedLayerNormalization" if plain:
            yield from _embeddings(graph, node)
        case "BiasGelu" | "FastGelu" if plain:
            biased, kind = f"{node.output[0]}.biased", "none" if node.op_type == "BiasGelu" else "tanh"
            yield helper.make_node("Add", list(node.input), [biased])
            yield helper.make_node("Gelu", [biased], list(node.output), approximate=kind)
        case "ReduceMean":  # of the same direction as the sum, in which padding counts nothing
            yield helper.make_node("Mul", [node.input[0], "mask.column"], ["counted"])
            yield helper.make_node("ReduceSum", ["counted", "middle"], list(node.output), keepdims=0)
        case "LpNormalization":  # which the libraries of graphics cards lack
            yield helper.make_node("ReduceL2", [node.input[0], "last"], ["length.of"], keepdims=1)
            yield helper.make_node("Div", [node.input[0], "length.of"], list(node.output))
        case _:
            yield node


def _constant(graph: onnx.GraphProto, name: str, values: np.ndarray) -> str:
    graph.initializer.append(numpy_helper.from_array(values, name))
    return name


def _bias(graph: onnx.GraphProto) -> Iterator[NodeProto]:
    """Turn the mask into what is added to the scores of all heads and places."""
    axes = _constant(graph, "bias.axes", np.array([1, 2]))
    one = _constant(graph, "bias.one", np.array([1], np.float32))
    least = _constant(graph, "bias.least", np.array([_LEAST], np.float32))
    yield helper.make_node("Sub", [one, "mask.float"], ["bias.padded"])
    yield helper.make_node("Mul", ["bias.padded", least], ["bias.flat"])
    yield helper.make_node("Unsqueeze", ["bias.flat", axes], ["bias"])


def _attention(graph: onnx.GraphProto, node: NodeProto, heads: int, hidden: int) -> Iterator[NodeProto]:
    """Write scaled dot-product attention (Vaswani et al. 2017) in standard operators."""
    x, weight, bias = node.input[:3]
    own = node.output[0]
    apart = _constant(graph, f"{own}.apart", np.array([0, 0, heads, hidden // heads]))
    joined = _constant(graph, f"{own}.joined", np.array([0, 0, hidden]))
    scale = _constant(graph, f"{own}.scale", np.array([(hidden // heads) ** -0.5], np.float32))
    name = {
        part: f"{own}.{part}" for part in ("product", "qkv", "raw", "scaled", "scores", "shares", "mixed", "turned")
    }
    yield helper.make_node("MatMul", [x, weight], [name["product"]])
    yield helper.make_node("Add", [name["product"], bias], [name["qkv"]])
    parts = [f"{own}.{part}" for part in "qkv"]
    yield helper.make_node("Split", [name["qkv"]], [f"{part}.flat" for part in parts], axis=-1, num_outputs=3)
    for part in parts:
        order = [0, 2, 3, 1] if part.endswith(".k") else [0, 2, 1, 3]
        yield helper.make_node("Reshape", [f"{part}.flat", apart], [f"{part}.heads"])
        yield helper.make_node("Transpose", [f"{part}.heads"], [part], perm=order)
    yield helper.make_node("MatMul", parts[:2], [name["raw"]])
    yield helper.make_node("Mul", [name["raw"], scale], [name["scaled"]])
    yield helper.make_node("Add", [name["scaled"], "bias"], [name["scores"]])
    yield helper.make_node("Softmax", [name["scores"]], [name["shares"]], axis=-1)
    yield helper.make_node("MatMul", [name["shares"], parts[2]], [name["mixed"]])
    yield helper.make_node("Transpose", [name["mixed"]], [name["turned"]], perm=[0, 2, 1, 3])
    yield helper.make_node("Reshape", [name["turned"], joined], [own])


def _embeddings(graph: onnx.GraphProto, node: NodeProto) -> Iterator[NodeProto]:
    """Add the rows of positions to those of words, and normalise."""
    ids, _, words, positions, _, *norm = node.input
    begin = _constant(graph, "begin", np.array([0]))
    yield helper.make_node("Gather", [words, ids], ["words.rows"])
    yield helper.make_node("Shape", [ids], ["length"], start=1, end=2)
    yield helper.make_node("Slice", [positions, begin, "length", begin], ["places"])
    yield helper.make_node("Add", ["words.rows", "places"], ["placed"])
    epsilon = next(one.f for one in node.attribute if one.name == "epsilon")
    yield helper.make_node("LayerNormalization", ["placed", *norm], [node.output[0]], axis=-1, epsilon=epsilon)
