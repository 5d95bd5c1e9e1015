"""Grids: a question per column, a document per row."""
