"""What needs somebody, told to those whom [alerts] of rag.toml names: once when it begins, once when it is over."""
