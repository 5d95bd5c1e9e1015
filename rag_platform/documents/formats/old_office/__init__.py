"""Old Office files (doc, ppt, xls): compound files of binary records."""
