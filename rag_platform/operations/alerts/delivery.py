"""The addresses of [alerts], and an alert sent to one of them: as JSON, in the form of Slack, or as an e-mail.

Addresses come from rag.toml alone. What is secret in them is filled in at the moment of sending, and stands in no
message, record or error.
"""

import smtplib
import ssl
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from email.message import EmailMessage
from typing import Any, Literal
from urllib.parse import urlsplit

import httpx

from rag_platform.config.placeholders import Expanded, expand, hide
from rag_platform.config.sections.alerts import AlertSettings
from rag_platform.core.errors import AlertFailed, SecretError
from rag_platform.core.urls import is_web
from rag_platform.operations.alerts.outbox import Alert
from rag_platform.workspace import Workspace

TIMEOUT = 10.0
"""Seconds in which a server has to connect, and to say something."""
_LATER = (408, 425, 429)
_PORTS = {"smtp": 587, "smtps": 465}


@dataclass(frozen=True, slots=True)
class Target:
    """Where alerts go."""

    kind: Literal["webhook", "slack", "email"]
    address: str
    """As it stands in rag.toml."""

    @property
    def key(self) -> str:
        """What it is known by in the outbox."""
        return f"{self.kind} {self.address}"

    @property
    def shown(self) -> str:
        """For people: of an address of the web only its host, since the rest may be what lets somebody post."""
        return f"{self.kind} {self.address if self.kind == 'email' else _host(self.address)}"


def targets_of(settings: AlertSettings) -> list[Target]:
    """Return the targets; all e-mail addresses are one."""
    return [
        *(Target("webhook", address) for address in dict.fromkeys(settings.webhooks)),
        *(Target("slack", address) for address in dict.fromkeys(settings.slack)),
        *([Target("email", ", ".join(settings.email))] if settings.email else []),
    ]


def send(workspace: Workspace, target: Target, alert: Alert) -> None:
    """Send an alert once; `AlertFailed` says why it could not be."""
    filled = Filled(workspace)
    try:
        if target.kind == "email":
            _mail(workspace.settings.alerts, filled, alert)
        else:
            _post(workspace.settings.alerts, filled, target, alert)
    except AlertFailed as error:
        raise AlertFailed(filled.hide(str(error)), transient=error.transient) from None
    except SecretError as error:
        raise AlertFailed(str(error), transient=False) from None
    except (httpx.TransportError, OSError, smtplib.SMTPException) as error:
        said = filled.hide(str(error)) or type(error).__name__
        raise AlertFailed(said, transient=_is_transient(error)) from None


class Filled:
    """Fills in what is secret, and knows what that was."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._hidden: set[str] = set()

    def __call__(self, template: str) -> str:
        """Return a value of the settings; `SecretError` when something it names is not there."""
        stored = self._workspace.secrets if "${secret:" in template else None
        expanded: Expanded = expand(template, stored, self._workspace.settings.variables)
        self._hidden |= expanded.hidden
        return expanded.value

    def hide(self, text: str) -> str:
        """Take what is secret from a message."""
        return hide(" ".join(text.split()), self._hidden)


def _post(settings: AlertSettings, filled: Filled, target: Target, alert: Alert) -> None:
    url = filled(target.address)
    if not is_web(url):
        raise AlertFailed("it is no address of the web; expected https://…", transient=False)
    headers = {name: filled(value) for name, value in settings.headers.items()} if target.kind == "webhook" else {}
    body = asdict(alert) if target.kind == "webhook" else slack_message(alert)
    try:
        with (
            httpx.Client(timeout=TIMEOUT, follow_redirects=False) as client,
            client.stream("POST", url, json=body, headers=headers) as response,  # what it replies is not read
        ):
            status = response.status_code
    except (httpx.InvalidURL, httpx.LocalProtocolError, UnicodeError, ValueError) as error:  # they quote what is secret
        raise AlertFailed(f"its address or a header cannot be sent: {type(error).__name__}", transient=False) from None
    if not 200 <= status < 300:
        raise AlertFailed(f"it answered with status {status}", transient=status >= 500 or status in _LATER)


def slack_message(alert: Alert) -> dict[str, str]:
    """Return the body that Slack's incoming webhooks take; what a text says is no markup, and mentions nobody."""
    said = f"{alert.title} ({alert.workspace})\n{alert.text}"
    return {"text": said.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")}


def _mail(settings: AlertSettings, filled: Filled, alert: Alert) -> None:
    server = urlsplit(settings.smtp or "")
    host, port = server.hostname or "", server.port or _PORTS[server.scheme]
    trusted = ssl.create_default_context()
    if server.scheme == "smtps":
        connection: smtplib.SMTP = smtplib.SMTP_SSL(host, port, timeout=TIMEOUT, context=trusted)
    else:
        connection = smtplib.SMTP(host, port, timeout=TIMEOUT)
    with closing(connection):
        connection.ehlo()
        if server.scheme == "smtp" and (connection.has_extn("starttls") or settings.password):
            connection.starttls(context=trusted)  # fails where there is no TLS: no password goes out in the clear
        if settings.password and server.username:
            connection.login(server.username, filled(settings.password))
        connection.send_message(email_message(settings, alert))
        with suppress(OSError, smtplib.SMTPException):  # it is delivered
            connection.quit()


def email_message(settings: AlertSettings, alert: Alert) -> EmailMessage:
    """Return an alert as an e-mail."""
    message = EmailMessage()
    headers: Mapping[str, Any] = {
        "From": settings.sender,
        "To": ", ".join(settings.email),
        "Subject": " ".join(f"[{alert.workspace}] {alert.title}".split()),
        "Message-ID": f"<{alert.id}@{(settings.sender or '').rpartition('@')[2]}>",
        "Auto-Submitted": "auto-generated",
    }
    for name, value in headers.items():
        message[name] = value
    message.set_content(f"{alert.text}\n\nWorkspace: {alert.workspace}\n")
    return message


def _is_transient(error: Exception) -> bool:
    """Return whether another try may do: not where a server has refused for good."""
    if isinstance(error, smtplib.SMTPResponseException):
        return 400 <= error.smtp_code < 500
    permanent = (smtplib.SMTPNotSupportedError, smtplib.SMTPRecipientsRefused, ssl.SSLCertVerificationError)
    return not isinstance(error, permanent)


def _host(address: str) -> str:
    return (urlsplit(address).hostname or "").strip() or address
