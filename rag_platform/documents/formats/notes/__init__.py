"""What programs for notes write: Obsidian's links, and exports of Evernote and Notion."""
