"""What is asked by columns: the one DuckDB of a process, its results as frames, masks over columns of words."""
