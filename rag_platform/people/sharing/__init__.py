"""What people write once and use again, alone or with others: assistants and templates of questions."""
