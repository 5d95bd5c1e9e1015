"""What files are and whose: plain ones only, and their owner's alone."""
