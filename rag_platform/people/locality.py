"""Whether a request comes from somebody at this machine, and not through a proxy or from a page of others."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

Network = IPv4Network | IPv6Network
_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
_HOST = re.compile(r"([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?")


def remote_reason(peer: str | None, headers: Mapping[str, str], hosts: Sequence[str]) -> str | None:
    """Say why a request without a name is not the local user's own; None: it is.

    Args:
        peer: the address of the other end.
        headers: of the request, names in any case.
        hosts: every Host header; there should be one.
    """
    if peer is None or not is_loopback(peer):
        return "the request comes from another machine"
    if any(name in headers for name in _FORWARDED):
        return "the request comes through a proxy"
    named = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
    if not named or not is_loopback(named[1]):  # another's name that was made to lead here
        return f"the request is for {', '.join(hosts)!r}, which is not this machine"
    origin = headers.get("origin")
    if origin is not None and origin not in (f"http://{hosts[0]}", f"https://{hosts[0]}"):
        return f"the request comes from a page of {origin}"
    if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        return "the request comes from a page of others"
    return None


def is_loopback(host: str) -> bool:
    """Tell whether an address or a name is this machine's own."""
    try:
        address = ip_address(host.strip("[]"))
    except ValueError:
        return host.lower() == "localhost"
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


@lru_cache(10_000)
def network_of(host: str) -> Network | None:
    """Return whom an address counts for: itself, or the network that one customer has of IPv6; None: it is none."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return None
    address = getattr(address, "ipv4_mapped", None) or address
    return ip_network((address, 64 if address.version == 6 else 32), strict=False)
