"""Sessions of the page without a browser: they speak Streamlit's own protocol over a websocket."""

import time
from dataclasses import dataclass, field
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection

FIRST_HIT = '<ol class="hits"'
NOTHING = '<div class="empty">'


@dataclass(slots=True)
class Took:
    """Milliseconds from sending a search."""

    first: float | None = None
    """To the first results; None: there were none."""
    last: float = 0.0
    """To the last message of the run."""


@dataclass(slots=True)
class Session:
    """One visitor of the search view."""

    socket: ClientConnection
    fragment: str = ""
    widgets: dict[str, str] = field(default_factory=dict)
    """The ids of the box and of the button, by their keys."""

    async def open(self) -> float:
        """Load the view; returns the milliseconds that took."""
        start = time.perf_counter()
        back = BackMsg()
        back.rerun_script.query_string = ""
        back.rerun_script.page_name = "search"
        await self.socket.send(back.SerializeToString())
        async for message in self._run():
            element = message.delta.new_element
            kind = element.WhichOneof("type") if message.HasField("delta") else None
            if kind in ("text_input", "button") and message.delta.fragment_id:
                widget = getattr(element, kind)
                self.widgets[kind] = widget.id
                self.fragment = message.delta.fragment_id
        if not self.fragment or {"text_input", "button"} - self.widgets.keys():
            raise RuntimeError("the search view did not come: its box or its button was not among the elements")
        return 1000 * (time.perf_counter() - start)

    async def search(self, question: str, *, entered: bool) -> Took:
        """Send what stands in the box, as a pause while typing or as Enter does, and wait for the end of the run."""
        back = BackMsg()
        run = back.rerun_script
        run.query_string, run.fragment_id, run.page_name = urlencode({"q": question}), self.fragment, "search"
        run.widget_states.widgets.add(id=self.widgets["text_input"], string_value=question)
        if entered:
            run.widget_states.widgets.add(id=self.widgets["button"], trigger_value=True)
        took, start = Took(), time.perf_counter()
        await self.socket.send(back.SerializeToString())
        async for message in self._run():
            now = 1000 * (time.perf_counter() - start)
            body = message.delta.new_element.html.body
            if took.first is None and (FIRST_HIT in body or NOTHING in body):
                took.first = now
            took.last = now
        return took

    async def _run(self):  # noqa: ANN202 - an iterator of messages
        """Yield the messages of a run, to its end."""
        async for packed in self.socket:
            message = ForwardMsg()
            message.ParseFromString(packed)
            yield message
            if message.HasField("script_finished"):
                if message.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                    raise RuntimeError("the page cannot be compiled")
                return
