"""Versions as releases: opened, promoted, rolled back, compared; what older ones still hold."""
