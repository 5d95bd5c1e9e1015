"""Collections of files that people upload: what a source of the kind `upload` reads."""
