"""The view of collections and sources, in parts: what is typed, what is shown, and what runs."""
