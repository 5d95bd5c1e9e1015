"""What people asked and were answered (`data/app.sqlite`): receipts, feedback, proposed questions, usage."""
