"""The embeddings stage: chunks -> vectors, reused by (model, text hash)."""
