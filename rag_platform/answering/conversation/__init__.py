"""A question of a chat -> one that stands alone."""
