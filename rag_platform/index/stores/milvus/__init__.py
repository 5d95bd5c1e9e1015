"""Vectors in Milvus beside tables in PostgreSQL, as the engine of versions."""
