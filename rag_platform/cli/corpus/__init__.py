"""Commands for what is read: sources, collections, syncs."""
