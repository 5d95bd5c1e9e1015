"""BEIR-style folders, and how well and fast they are searched."""
