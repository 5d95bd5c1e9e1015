"""Threads: shared out by host, repeating something beside the rest, and none of NumPy's."""
