"""Agentic search: a language model chooses what to search for."""
