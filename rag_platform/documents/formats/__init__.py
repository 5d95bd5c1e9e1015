"""One reader per format: bytes -> Markdown text."""
