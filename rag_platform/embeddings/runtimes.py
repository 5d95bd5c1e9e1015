"""Settings to the open embedding model that they describe, by what runs it."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from rag_platform.config.settings import ModelSettings
from rag_platform.embeddings.embedding_model import EmbeddingModel
from rag_platform.models.cards import CARDS, as_set, describe_folder, refuse_other_layers
from rag_platform.models.foreign_graph import graph_of
from rag_platform.models.weight_files import files_checksum
from rag_platform.models.weights import is_repository, locate


def open_model(settings: ModelSettings) -> EmbeddingModel:
    """Find the model in the settings, fetch it if need be, and open it.

    Raises:
        ModelError: It cannot be had, or cannot be read.
        MissingExtra: Its runtime is not installed.
    """
    match settings.runtime:
        case "openai":
            from rag_platform.embeddings.embedding_server import ServerEmbedder

            return ServerEmbedder(settings)
        case "sentence-transformers":
            from rag_platform.embeddings.sentence_transformer import open_sentence_transformer

            return open_sentence_transformer(settings)
        case "cuda" | "tensorrt":
            from rag_platform.embeddings.batched_embedder import open_batched

            return open_batched(settings)
    return _open_onnx(settings)


def _open_onnx(settings: ModelSettings) -> EmbeddingModel:
    """Open a model by the graph that is written from its weights, or by the one that lies with it."""
    from rag_platform.embeddings.onnx_embedder import open_embedder

    folder = settings.folder or (locate(settings) if is_repository(settings.name) else None)
    if folder and settings.name not in CARDS and (graph := graph_of(folder)):
        return _open_foreign(settings, folder, graph)
    return open_embedder(settings.model_copy(update={"folder": folder}))


def _open_foreign(settings: ModelSettings, folder: Path, graph: Path) -> EmbeddingModel:
    """Open a graph that lies with the model; what a vector depends on is all that lies there."""
    from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
    from rag_platform.models.foreign_graph import ForeignGraph, pooling_of

    session = ForeignGraph(graph, pooling_of(folder))
    if not session.pools:
        refuse_other_layers(folder)
    dimension = session.run(["sentence"], {"input_ids": np.zeros((1, 2), np.int32)})[0].shape[1]
    card = replace(describe_folder(settings.name, folder), sha256=files_checksum(folder), dimension=dimension)
    return OnnxEmbedder(folder, as_set(card, settings), threads=settings.threads, session=session)
