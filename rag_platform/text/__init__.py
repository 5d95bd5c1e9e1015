"""Text, whatever it came from: language, cleaning, sentences, structure, terms, differences."""
