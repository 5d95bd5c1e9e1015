"""What an evaluation found, as a page, as Markdown, over time."""
