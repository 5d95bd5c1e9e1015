"""Building a version: from the live one or from nothing, with canaries planted, and redaction."""
