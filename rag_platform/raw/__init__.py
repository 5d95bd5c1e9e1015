"""The first stage: sources -> raw bytes, with what must not be read again left out."""
