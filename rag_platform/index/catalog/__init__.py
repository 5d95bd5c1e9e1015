"""The catalog of a version: chunks, documents and the attributes that filters use."""
