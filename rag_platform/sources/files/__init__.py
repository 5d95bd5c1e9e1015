"""Files: folders and object storage."""
