"""Versions in an engine that several machines read: their segments, each written once, and one pointer."""
