"""A version of the index: built, verified, published, opened."""
