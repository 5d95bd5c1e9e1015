"""Addresses of the web: one spelling for each, and none that shows a password."""

import re
from urllib.parse import quote, urljoin, urlsplit, urlunsplit

TRACKING = re.compile(r"^(utm_[a-z_]+|fbclid|gclid|dclid|msclkid|mc_cid|mc_eid|igshid)(=|$)", re.IGNORECASE)
PORTS = {"http": ":80", "https": ":443"}
UNSAFE = re.compile(r"[^!#$%&'()*+,/:;=?@\[\]~A-Za-z0-9._-]")


def is_web(url: str | None) -> bool:
    """Tell whether an address can be fetched over HTTP."""
    return url is not None and re.match(r"https?://[^/?#\s]", url, re.IGNORECASE) is not None


def canonical(url: str, base: str = "") -> str:
    """Spell an address as every listing shall: absolute, no fragment, no tracking parameters, host in lower case.

    Raises:
        ValueError: it is no address.
    """
    parts = urlsplit(urljoin(base, url.strip()))
    scheme = parts.scheme.lower()
    user, at, host = parts.netloc.rpartition("@")
    host = host.lower().removesuffix(PORTS.get(scheme, "\0"))
    query = "&".join(pair for pair in parts.query.split("&") if not TRACKING.match(pair))
    path = parts.path or ("/" if scheme in PORTS else "")
    return urlunsplit((scheme, user + at + host, _escaped(path), _escaped(query), ""))


def shown(url: str) -> str:
    """Return the address without a password, for messages."""
    return re.sub(r"(?<=://)[^/?#@]*@", "", url)


def host_of(url: str) -> str | None:
    """Return the host and port of a web address; None for any other uri."""
    if not is_web(url):
        return None
    return urlsplit(url).netloc.rpartition("@")[2].lower()


def _escaped(text: str) -> str:
    return UNSAFE.sub(lambda match: quote(match[0]), text)
