"""What changed, as people read it, and the ways to be told; of no view alone."""
