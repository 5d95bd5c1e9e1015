"""PostgreSQL with pgvector as the engine of versions."""
