"""Ranking quality of every way of searching, on many collections, with one set of defaults: see `__main__.py`."""
