"""Commands for provenance and erasure."""
