"""Where an answer comes from and where a document went: replay, impact, originals, the path of a document."""
