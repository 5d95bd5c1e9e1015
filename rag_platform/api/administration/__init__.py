"""What whoever runs the workspace asks of it: who may read what, how it is, copies of it."""
