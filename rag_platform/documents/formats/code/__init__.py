"""Source code: divided at its definitions."""
