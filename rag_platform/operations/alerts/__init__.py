"""What needs somebody and what happened, each told once to those whom [alerts] of rag.toml names."""
