"""Structured data and source code."""
