"""Sources that other libraries read, in a process of their own."""
