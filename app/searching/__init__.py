"""The parts of the view Search."""
