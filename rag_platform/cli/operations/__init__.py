"""Commands that set up and look after a workspace."""
