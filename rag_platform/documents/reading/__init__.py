"""From a raw file to its documents: which format it is, the reader of that format, and the files within it."""
