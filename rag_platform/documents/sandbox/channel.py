"""Messages between two processes over a pair of pipes, which every operating system has."""

import struct
from contextlib import suppress
from typing import IO

_LENGTH = struct.Struct(">Q")
_STEP = 1 << 20
"""Bytes read at once: what the other side says of a length is not believed until the bytes are there."""


class Channel:
    """Each message is its length in eight bytes, then its bytes; one thread may send while another receives."""

    def __init__(self, incoming: IO[bytes], outgoing: IO[bytes]) -> None:
        self._incoming, self._outgoing = incoming, outgoing

    def send(self, message: bytes) -> None:
        """Send a message.

        Raises:
            OSError: the other side is gone.
        """
        self._outgoing.write(_LENGTH.pack(len(message)))
        self._outgoing.write(message)
        self._outgoing.flush()

    def receive(self, most: int = 1 << 62) -> bytes:
        """Wait for the next message.

        Raises:
            EOFError: the other side is gone, or sends more than so many bytes at once.
        """
        (left,) = _LENGTH.unpack(self._exactly(_LENGTH.size))
        if left > most:
            raise EOFError
        return self._exactly(left)

    def _exactly(self, length: int) -> bytes:
        taken = bytearray()
        while len(taken) < length:
            step = self._incoming.read(min(length - len(taken), _STEP))
            if not step:
                raise EOFError
            taken += step
        return bytes(taken)

    def close(self) -> None:
        """Send no more: the other side finds the end of its input."""
        with suppress(OSError):  # it was gone before the last message was out
            self._outgoing.close()

    def close_incoming(self) -> None:
        """Receive no more; only for the thread that receives, as another would wait for it."""
        self._incoming.close()
