"""Web pages and books: main content and metadata."""
