"""What costs something to make, kept by the hash of what it was made from."""
