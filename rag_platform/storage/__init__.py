"""Where data lies: each stage's tables, blobs, SQLite files, locks, atomic writes."""
