"""Grids: made of documents, filled in the background, shown to whom may read them, written as CSV."""
