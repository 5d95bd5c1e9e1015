"""What of a text is written in another way than words: formulas, tables, and the amounts in them."""
