"""The vectors of a version: HNSW graphs, and spaces of several models."""
