"""What is said in recordings: how they are known, and their words with the times at which they are said."""
