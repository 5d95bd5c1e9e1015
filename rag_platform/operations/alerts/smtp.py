"""An e-mail sent through a server; a password goes out over TLS alone, to a server that proves itself."""

import smtplib
import ssl
from contextlib import closing, suppress
from email.message import EmailMessage
from urllib.parse import urlsplit

TIMEOUT = 10.0
"""Seconds in which a server has to connect, and to say something."""
_PORTS = {"smtp": 587, "smtps": 465}


def send_mail(server: str, password: str | None, message: EmailMessage) -> None:
    """Send an e-mail through ``smtp://user@host:587``, or ``smtps://`` for TLS from the first byte.

    Raises:
        OSError: the server cannot be reached, or is not whom it says it is.
        smtplib.SMTPException: it does not take the e-mail.
    """
    parts, trusted = urlsplit(server), ssl.create_default_context()
    host, port = parts.hostname or "", parts.port or _PORTS[parts.scheme]
    if parts.scheme == "smtps":
        connection: smtplib.SMTP = smtplib.SMTP_SSL(host, port, timeout=TIMEOUT, context=trusted)
    else:
        connection = smtplib.SMTP(host, port, timeout=TIMEOUT)
    with closing(connection):
        connection.ehlo()
        if parts.scheme == "smtp" and (connection.has_extn("starttls") or password):
            connection.starttls(context=trusted)  # fails where there is no TLS: no password goes out in the clear
        if password and parts.username:
            connection.login(parts.username, password)
        connection.send_message(message)
        with suppress(OSError, smtplib.SMTPException):  # it is delivered
            connection.quit()
