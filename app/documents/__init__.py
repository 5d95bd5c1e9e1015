"""What the document view shows: the text, the original beside it, and what is known of both."""
