"""Watches: questions and searches that are asked again after each publication, and who is told of what changed."""
