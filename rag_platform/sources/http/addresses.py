"""Which network addresses a name stands for, and whether we may connect to them.

A page, a redirect or a feed can name any host, also ``localhost``, a router or a cloud's metadata service
(server-side request forgery). Every address of a name is checked, and the fetcher then connects to the checked
address itself, so that a name which changes its address in between (DNS rebinding) gains nothing.
"""

import ipaddress
import socket

from rag_platform.core.errors import FetchError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
NAT64 = ipaddress.ip_network("64:ff9b::/96")


class UnknownHost(FetchError):
    """The name service does not know the host, or does not answer."""


def resolve(host: str, port: int, *, allow_private: bool) -> tuple[Address, ...]:
    """Return the addresses of a host, in the order to try them.

    Raises:
        UnknownHost: there is no such name, or no name service.
        FetchError: one of the addresses is not public and `allow_private` is false.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UnknownHost(f"the host {host!r} is not known ({reason}); check its spelling and the network") from error
    addresses = tuple(dict.fromkeys(ipaddress.ip_address(str(entry[4][0]).partition("%")[0]) for entry in found))
    hidden = [address for address in addresses if not is_public(address)]
    if hidden and not allow_private:
        raise FetchError(
            f"{host!r} is the address {hidden[0]}, which is not public; set allow_private = true in the source's "
            "[fetch] if it is meant to be read"
        )
    return addresses


def is_public(address: Address) -> bool:
    """Return whether an address, and any IPv4 address inside it, belongs to the public internet."""
    return all(part.is_global and not part.is_multicast for part in (address, *_embedded(address)))


def _embedded(address: Address) -> tuple[Address, ...]:
    if isinstance(address, ipaddress.IPv4Address):
        return ()
    inside = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in NAT64:
        inside.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return tuple(part for part in inside if part is not None)
