"""Commands for versions and their evaluation."""
