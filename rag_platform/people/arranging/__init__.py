"""How a person arranges their chats: branches of questions that were asked anew, folders, pins."""
