"""Conversations as programs of chat export them: a document for each thread, and for the days or months around them."""
