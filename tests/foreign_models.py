"""Models in ONNX as other exporters save them."""

import json
import shutil
from pathlib import Path

import onnx
from onnx import TensorProto, helper
from safetensors.numpy import load_file

from rag_platform.models.onnx_graph import bert_graph


def export_classifier(model: Path, folder: Path, **config) -> Path:
    """Save a tiny classifier of pairs as exporters do: with inputs of 64 bits and a mask, its output called logits."""
    shutil.copytree(model, folder, ignore=shutil.ignore_patterns("*.safetensors"))
    own = json.loads((model / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(own | {"model_type": "deberta-v2"} | config))
    graph = bert_graph(load_file(model / "model.safetensors"), own, "classes")
    body = graph.graph
    wide = {"input_ids": "narrow_ids", "token_type_ids": "narrow_kinds"}
    for node in body.node:
        node.input[:] = [wide.get(name, name) for name in node.input]
        node.output[:] = ["logits" if name == "classes" else name for name in node.output]
    casts = [helper.make_node("Cast", [name], [narrow], to=TensorProto.INT32) for name, narrow in wide.items()]
    for cast in casts:
        body.node.insert(0, cast)
    classes = body.output[0].type.tensor_type.shape.dim[1].dim_value
    del body.input[:], body.output[:]
    names = ("input_ids", "attention_mask", "token_type_ids")
    body.input.extend(helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "n"]) for name in names)
    body.output.append(helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", classes]))
    (folder / "onnx").mkdir()
    onnx.save(graph, folder / "onnx/model.onnx")
    return folder


def export(model: Path, folder: Path, *, sentence: bool = False, place: str = "onnx/model.onnx", **config) -> Path:
    """Save a tiny BERT as exporters do: under another kind, with inputs of 64 bits and a mask, its pooling left out.

    `sentence`: the graph pools too.
    """
    shutil.copytree(model, folder, ignore=shutil.ignore_patterns("*.safetensors"))
    own = json.loads((model / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(own | {"model_type": "modernbert"} | config))
    graph = bert_graph(load_file(model / "model.safetensors"), own, "mean")
    body = graph.graph
    for node in body.node:
        node.input[:] = ["narrow_ids" if name == "input_ids" else name for name in node.input]
        node.output[:] = [_NAMES.get(name, name) for name in node.output]
        node.input[:] = [_NAMES.get(name, name) for name in node.input]
    body.node.insert(0, helper.make_node("Cast", ["input_ids"], ["narrow_ids"], to=TensorProto.INT32))
    names = ("input_ids", "attention_mask", "token_type_ids")
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "n"]) for name in names]
    del body.input[:], body.output[:]
    body.input.extend(inputs)
    hidden = own["hidden_size"]
    body.output.append(helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "n", hidden]))
    if sentence:
        body.output.append(helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["batch", hidden]))
    (folder / place).parent.mkdir(exist_ok=True)
    onnx.save(graph, folder / place)
    return folder


_NAMES = {"tokens": "last_hidden_state", "sentence": "sentence_embedding"}
