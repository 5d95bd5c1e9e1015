"""What is interactive in a PDF (ISO 32000-2, chapter 12): annotations, forms, links, outlines, attached files."""
