"""The application."""

from textual.app import App

from rag_platform.terminal.chat import ChatScreen
from rag_platform.terminal.session import Session


class ChatApp(App[None]):
    """A chat over one workspace."""

    TITLE = "rag chat"
    CSS_PATH = "chat.tcss"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.chat = ChatScreen(session)
        if self.console.color_system in (None, "standard"):
            self.theme = "ansi-dark"  # the terminal's own few colours

    def get_default_screen(self) -> ChatScreen:
        """Return the chat."""
        return self.chat
