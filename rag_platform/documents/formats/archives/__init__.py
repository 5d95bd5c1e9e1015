"""Files that hold others: archives, and single files that are compressed."""
