"""Where the ONNX graph of a model lies, written once."""

from pathlib import Path

from rag_platform.storage.user_cache import name_by_content, undamaged

GRAPH_VERSION = "2"
"""Changes when the same weights would give other vectors."""


def cached_graph(folder: Path, weights_sha256: str, pooling: str, precision: str, cache: Path) -> Path:
    """Return the graph of the model in `folder`, written into `cache` if it is not there or is damaged.

    Its name carries what it was made from and, as the last part, its own hash, which is checked.
    """
    stem = f"{weights_sha256[:16]}-{pooling}-{precision}-{GRAPH_VERSION}"
    if path := undamaged(cache, stem, ".onnx"):
        return path
    from rag_platform.models.onnx_graph import write_graph  # brings onnx and protobuf, for what is done once

    new = cache / f"{stem}.onnx"
    write_graph(folder, pooling, precision, new)
    return name_by_content(new)
