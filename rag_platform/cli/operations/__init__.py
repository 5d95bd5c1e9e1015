"""Commands that set up and operate a workspace."""
