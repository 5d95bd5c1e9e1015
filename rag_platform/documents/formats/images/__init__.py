"""Images: optical character recognition, and vision models."""
