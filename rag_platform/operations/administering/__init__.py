"""What an admin looks at and changes: who is known, their roles, whether the endpoints answer."""
