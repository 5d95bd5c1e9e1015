"""Raw bytes to clean text: one module per format."""
