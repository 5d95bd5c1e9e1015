"""Admin: who may do and read what, and what the workspace is set up to use."""
