"""Answers that are quotes: which pieces of the hits, in which language, and what in them is the short answer."""
