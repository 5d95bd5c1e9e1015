"""What people share: with whom, and the forms of what they keep for each other."""
