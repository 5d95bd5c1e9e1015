"""What several sources say of one thing: who is independent of whom, and where they disagree."""
