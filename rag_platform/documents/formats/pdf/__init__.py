"""PDFs: text in reading order, headings, tables."""
