"""Questions and a version -> scores."""
