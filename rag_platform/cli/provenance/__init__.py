"""Commands from answers to documents and back, and erasure."""
