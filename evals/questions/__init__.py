"""Question sets: labels, synthetic and proposed questions, editing."""
