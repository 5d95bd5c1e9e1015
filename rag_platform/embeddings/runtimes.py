"""Settings to the open embedding model that they describe, by what runs it."""

from rag_platform.config.settings import ModelSettings
from rag_platform.embeddings.embedding_model import EmbeddingModel


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
    from rag_platform.embeddings.onnx_embedder import open_embedder

    return open_embedder(settings)
