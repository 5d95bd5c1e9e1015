"""What other systems keep: the passages of vector stores and of exported corpora, put together to documents again."""
