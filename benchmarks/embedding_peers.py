"""The same model embedded by other libraries; run by the interpreter that has them, and by nothing of the platform.

    PYTHON benchmarks/embedding_peers.py LIBRARY MODEL TEXTS.json [DEVICE]

LIBRARY is sentence-transformers, fastembed or vllm, MODEL the folder of the model's files. Embeds the texts once to
warm up, then once for each line that comes in, and answers each time with the seconds it took. fastembed cannot fetch
its own copy everywhere, so it is given one: the same weights, exported in fp32 by torch as its maker's are.
"""

import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

LIMIT = 256


def sentence_transformers(model: Path, device: str = "cpu") -> Callable[[list[str]], object]:
    """Open the model on torch, as its makers say."""
    from sentence_transformers import SentenceTransformer

    encoder = SentenceTransformer(str(model), device=device, local_files_only=True)
    encoder.max_seq_length = LIMIT
    return lambda texts: encoder.encode(texts, normalize_embeddings=True, show_progress_bar=False)


def vllm(model: Path) -> Callable[[list[str]], object]:
    """Open the model in vLLM, on the device that it was built for."""
    from vllm import LLM

    engine = LLM(str(model), runner="pooling", max_model_len=LIMIT)
    cut = {"truncate_prompt_tokens": LIMIT}
    return lambda texts: [one.outputs.embedding for one in engine.embed(texts, tokenization_kwargs=cut, use_tqdm=False)]


def fastembed(model: Path) -> Callable[[list[str]], object]:
    """Open the model in fastembed, with its own batches."""
    from fastembed import TextEmbedding

    folder = Path(tempfile.mkdtemp(prefix="embedding-peers-"))
    _export(model, folder)
    name = "sentence-transformers/all-MiniLM-L6-v2"
    encoder = TextEmbedding(name, specific_model_path=str(folder))
    shutil.rmtree(folder)
    return lambda texts: list(encoder.embed(texts))


def _export(model: Path, folder: Path) -> None:
    import torch
    from transformers import AutoModel

    names = ["input_ids", "attention_mask", "token_type_ids"]

    class Plain(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.encoder = AutoModel.from_pretrained(model, attn_implementation="eager").eval()

        def forward(self, *inputs: torch.Tensor) -> torch.Tensor:
            return self.encoder(**dict(zip(names, inputs, strict=True))).last_hidden_state

    ones = torch.ones(2, 8, dtype=torch.long)
    axes = {name: {0: "batch", 1: "tokens"} for name in [*names, "last_hidden_state"]}
    torch.onnx.export(
        Plain(),
        (ones, ones, 0 * ones),
        str(folder / "model.onnx"),
        input_names=names,
        output_names=["last_hidden_state"],
        dynamic_axes=axes,
        opset_version=14,
        dynamo=False,
    )
    for name in ("tokenizer.json", "special_tokens_map.json", "config.json"):
        shutil.copy(model / name, folder)
    settings = json.loads((model / "tokenizer_config.json").read_text(encoding="utf-8"))
    (folder / "tokenizer_config.json").write_text(json.dumps(settings | {"model_max_length": LIMIT}))


def main() -> None:
    """Warm up, then time each round that is asked for."""
    library, model, path, *device = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), *sys.argv[4:5]
    if library == "sentence-transformers":
        embed = sentence_transformers(model, *device)
    else:
        embed = {"fastembed": fastembed, "vllm": vllm}[library](model)
    texts = json.loads(path.read_text(encoding="utf-8"))
    print(json.dumps([[float(value) for value in vector] for vector in embed(texts)[:8]]), flush=True)
    for _ in sys.stdin:
        start, spent = time.perf_counter(), time.process_time()
        embed(texts)
        print(time.perf_counter() - start, time.process_time() - spent, flush=True)


if __name__ == "__main__":
    main()
