"""What belongs to a question beside its answer: the chat in which it is asked, and what people think of it."""
