"""Commands that search, answer and explain."""
