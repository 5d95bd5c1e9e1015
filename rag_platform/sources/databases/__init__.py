"""Rows of databases."""
