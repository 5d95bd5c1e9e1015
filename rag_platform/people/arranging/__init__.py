"""How a person arranges their chats: folders and pins."""
