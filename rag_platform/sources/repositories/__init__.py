"""Git repositories: files at a branch, tag or commit, with dates and authors of their history."""
