"""A page as lines of words with positions: its reading order, tables and headings, and the Markdown of them."""
