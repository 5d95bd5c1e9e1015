"""Fetching over HTTP: politely, within limits, and from public addresses only."""
