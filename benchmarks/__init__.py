"""What is measured by hand: speed and robustness, as ratios to a peer in the same run."""
