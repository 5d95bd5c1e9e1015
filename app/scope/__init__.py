"""What a chat is answered from, as the view of chats shows it."""
