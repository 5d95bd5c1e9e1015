"""A question -> what is searched for: syntax, exclusions, spelling."""
