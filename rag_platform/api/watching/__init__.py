"""What changed, and watches: the routes."""
