"""What is searched for -> ranked candidates: similarity, fusion, feedback, relevance."""
