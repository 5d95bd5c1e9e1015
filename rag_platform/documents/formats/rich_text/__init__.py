"""Rich Text (rtf), also as the body of a message."""
