"""The text of an answer -> sentences tied to verified quotes."""
