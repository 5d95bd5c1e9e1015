"""What people watch, and what changed of it."""
