"""Whether a source supports a claim, by a model: natural language inference, or a language model."""
