"""What is shown of records where there is neither the page nor the terminal."""
