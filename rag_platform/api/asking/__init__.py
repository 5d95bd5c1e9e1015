"""What belongs to a question beside its answer: what it is asked of."""
