"""Commands for sources, collections and syncs."""
