"""What the commands `rag eval` and `rag questions` call."""
