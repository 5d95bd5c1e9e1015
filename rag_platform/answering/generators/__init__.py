"""Hits -> the text of an answer: a language model with a prompt, or extracted sentences."""
