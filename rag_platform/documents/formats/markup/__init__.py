"""Markup languages."""
