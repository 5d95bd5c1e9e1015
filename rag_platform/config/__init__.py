"""rag.toml and the environment: settings by section, kinds of source, secrets."""
