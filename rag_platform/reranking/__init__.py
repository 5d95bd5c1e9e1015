"""Hits to a better order."""
