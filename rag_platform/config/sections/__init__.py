"""The tables of rag.toml, by subject."""
