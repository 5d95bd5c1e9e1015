"""Settings -> the chosen parts: the one place that chooses."""
