"""The parts of the view Ask."""
