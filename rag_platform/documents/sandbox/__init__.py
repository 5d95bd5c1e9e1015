"""Each document is read in a process of its own, within limits."""
