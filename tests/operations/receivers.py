"""Real servers on loopback that take alerts: over HTTP, and over SMTP with and without TLS."""

import datetime
import ipaddress
import json
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message
from email.policy import default
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.loopback import LoopbackHandler, LoopbackServer, running


@dataclass
class Hook:
    """A server that keeps what is posted to it."""

    url: str = ""
    taken: list[dict[str, Any]] = field(default_factory=list)
    """The bodies that were accepted."""
    headers: list[dict[str, str]] = field(default_factory=list)
    """Of each request."""
    bodies: list[bytes] = field(default_factory=list)
    """Those that were accepted, as they came."""
    arrived: threading.Event = field(default_factory=threading.Event)
    refusals: list[int] = field(default_factory=list)
    """The statuses of the next requests; none: 200."""


@contextmanager
def hook() -> Iterator[Hook]:
    """Serve until the block ends."""
    kept = Hook()

    class Handler(LoopbackHandler):
        def do_POST(self) -> None:
            sent = self.body()
            kept.headers.append({"path": self.path, **dict(self.headers)})
            status = kept.refusals.pop(0) if kept.refusals else 200
            if status == 200:
                kept.taken.append(json.loads(sent))
                kept.bodies.append(sent)
                kept.arrived.set()
            self.answer(b"", status, {"location": f"{kept.url}/elsewhere"})

    with running(LoopbackServer(Handler)) as server:
        kept.url = server.address
        yield kept


@dataclass
class Mailbox:
    """A server that keeps the e-mails that are sent through it."""

    port: int
    messages: list[Message]
    users: list[str]
    """Those that logged in with the right password."""
    refusals: list[str] = field(default_factory=list)
    """What it says to the next e-mails instead of taking them."""


@contextmanager
def mail_server(certificate: Path | None = None, password: str = "") -> Iterator[Mailbox]:
    """Serve until the block ends; with a certificate, it asks for TLS and a password."""
    controllers = pytest.importorskip("aiosmtpd.controller")
    from aiosmtpd.smtp import SMTP, AuthResult

    box = Mailbox(0, [], [])

    class Handler:
        async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802  as the library calls it
            if box.refusals:
                return box.refusals.pop(0)
            box.messages.append(message_from_bytes(envelope.content, policy=default))
            return "250 OK"

    def right(_server: Any, _session: Any, _envelope: Any, _mechanism: str, given: Any) -> Any:
        box.users.append(given.login.decode()) if given.password == password.encode() else None
        return AuthResult(success=given.password == password.encode(), handled=False)

    asked: dict[str, Any] = {}
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        asked = {"tls_context": context, "require_starttls": True, "authenticator": right, "auth_required": True}

    class Controller(controllers.Controller):  # type: ignore[misc, name-defined]
        def factory(self) -> Any:
            return SMTP(self.handler, **asked)

        def _trigger_server(self) -> None:
            self.port = self.server.sockets[0].getsockname()[1]  # which the system chose
            super()._trigger_server()

    controller = Controller(Handler(), hostname="127.0.0.1", port=0)
    controller.start()
    box.port = controller.port
    try:
        yield box
    finally:
        controller.stop()


def make_certificate(path: Path) -> Path:
    """Write a certificate for 127.0.0.1, with its key, that signs itself."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")])
    now = datetime.datetime.now(datetime.UTC)
    address = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(address, critical=False)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(secret + made.public_bytes(serialization.Encoding.PEM))
    return path
