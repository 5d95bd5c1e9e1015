"""Wikis, by the interfaces that they have for programs."""
