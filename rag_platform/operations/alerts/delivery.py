"""The addresses of [alerts], and an alert sent to one of them: as signed JSON, in the form of Slack, or as an e-mail.

Addresses come from rag.toml alone. What is secret in them is filled in at the moment of sending, and stands in no
message, record or error.
"""

import json
import smtplib
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from email.message import EmailMessage
from typing import Any, Literal
from urllib.parse import urlsplit

import httpx

from rag_platform.config.sections.alerts import EVENTS, AlertSettings
from rag_platform.core.errors import AlertFailed, SecretError
from rag_platform.core.urls import is_web
from rag_platform.operations.alerts.outbox import Alert
from rag_platform.operations.alerts.signing import signed_headers
from rag_platform.operations.alerts.smtp import TIMEOUT, send_mail
from rag_platform.workspace import Workspace
from rag_platform.workspace.filled_secrets import Filled

_LATER = (408, 425, 429)


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


def routes_of(settings: AlertSettings) -> dict[str, list[str]]:
    """Return the keys of the targets that want to hear of each event; not those of which nobody wants to."""
    of_webhooks = settings.about if settings.webhooks_about is None else settings.webhooks_about
    wanted = [
        (target.key, of_webhooks if target.kind == "webhook" else settings.about) for target in targets_of(settings)
    ]
    routes: dict[str, list[str]] = {event: [key for key, about in wanted if event in about] for event in EVENTS}
    return {event: keys for event, keys in routes.items() if keys}


def targets_of(settings: AlertSettings) -> list[Target]:
    """Return the targets; all e-mail addresses are one."""
    return [
        *(Target("webhook", address) for address in dict.fromkeys(settings.webhooks)),
        *(Target("slack", address) for address in dict.fromkeys(settings.slack)),
        *([Target("email", ", ".join(settings.email))] if settings.email else []),
    ]


def with_question(workspace: Workspace, alert: Alert) -> Alert | None:
    """Return an alert with the question that it is of, which until then stands in the journal alone; None: it is gone.

    What was asked is told only where [audit] lets it be kept as it is.
    """
    if alert.receipt is None:
        return alert
    receipt = workspace.journal.receipt(alert.receipt)
    if receipt is None:
        return None
    shows = workspace.settings.audit.texts == "on"
    question = (receipt.standalone or receipt.question).strip() if shows else None
    told = f"“{question}” was not answered." if question else "What it was is not told: [audit] texts is not on."
    return replace(alert, question=question, text=f"{told}\n{alert.text}")


def send(workspace: Workspace, target: Target, alert: Alert) -> None:
    """Send an alert once; `AlertFailed` says why it could not be."""
    if target.kind == "email":
        send_email(workspace, email_message(workspace.settings.alerts, alert))
        return
    filled = Filled(workspace)
    with _explained(filled):
        _post(workspace.settings.alerts, filled, target, alert)


def send_email(workspace: Workspace, message: EmailMessage) -> None:
    """Send an e-mail through the server of [alerts] once; `AlertFailed` says why it could not be."""
    settings, filled = workspace.settings.alerts, Filled(workspace)
    with _explained(filled):
        send_mail(settings.smtp or "", filled(settings.password) if settings.password else None, message)


@contextmanager
def _explained(filled: Filled) -> Iterator[None]:
    try:
        yield
    except AlertFailed as error:
        raise AlertFailed(filled.hide(str(error)), transient=error.transient) from None
    except SecretError as error:
        raise AlertFailed(str(error), transient=False) from None
    except (httpx.TransportError, OSError, smtplib.SMTPException) as error:
        said = filled.hide(str(error)) or type(error).__name__
        raise AlertFailed(said, transient=_is_transient(error)) from None


def _post(settings: AlertSettings, filled: Filled, target: Target, alert: Alert) -> None:
    url = filled(target.address)
    if not is_web(url):
        raise AlertFailed("it is no address of the web; expected https://…", transient=False)
    body = json.dumps(asdict(alert) if target.kind == "webhook" else slack_message(alert)).encode()
    headers = {"content-type": "application/json"}
    if target.kind == "webhook":
        headers |= {name: filled(value) for name, value in settings.headers.items()}
        headers |= signed_headers(alert.id, body, map(filled, settings.signing_keys), datetime.now(UTC))
    try:
        with (
            httpx.Client(timeout=TIMEOUT, follow_redirects=False) as client,
            client.stream("POST", url, content=body, headers=headers) as response,  # what it replies is not read
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
