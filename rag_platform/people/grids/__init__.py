"""Grids: a question per column, a document per row; each belongs to one person, who may let others read it."""
