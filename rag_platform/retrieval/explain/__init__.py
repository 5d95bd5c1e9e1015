"""Where each candidate ended in a search, and why."""
