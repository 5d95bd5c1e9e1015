"""Files that are attached to one chat: cut, embedded and searched in memory, beside what is published."""
