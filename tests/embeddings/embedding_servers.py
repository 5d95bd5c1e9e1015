"""A server on loopback that embeds by a tiny model, in the forms of vLLM and of Hugging Face's TEI."""

from rag_platform.embeddings.embedding_model import EmbeddingModel


def embedding(embedder: EmbeddingModel, *, factor: float = 3.0, longest: int | None = None, most: int | None = None):
    """Answer `/embeddings` by a model, in any order, with vectors that are not of unit length.

    What has more than `longest` tokens is refused, as are more than `most` texts.
    """

    def answer(body: dict) -> tuple[int, dict]:
        texts = body["input"]
        if most and len(texts) > most:
            return 413, {"error": {"message": f"batch size {len(texts)} > maximum allowed batch size {most}"}}
        if longest and max(embedder.count_tokens(texts)) > longest:
            return 400, {"error": {"message": f"This model's maximum context length is {longest} tokens."}}
        if not all(texts):
            return 422, {"error": {"message": "`inputs` cannot be empty"}}
        vectors = factor * embedder.embed_passages(texts)
        data = [{"object": "embedding", "index": row, "embedding": one.tolist()} for row, one in enumerate(vectors)]
        return 200, {"object": "list", "model": body["model"], "data": data[::-1], "usage": {"prompt_tokens": 1}}

    return answer


VLLM = (200, {"object": "list", "data": [{"id": "tiny", "root": "someone/tiny", "max_model_len": 300}]})
TEI = (200, {"model_id": "someone/tiny", "model_sha": "a" * 40, "max_input_length": 200, "version": "1.8.0"})
