"""Which network addresses a name stands for, and whether we may connect to them.

A page, a redirect or a feed can name any host, also ``localhost``, a router or a cloud's metadata service
(server-side request forgery). Every address of a name is checked, and the fetcher then connects to the checked
address itself, so that a name which changes its address in between (DNS rebinding) gains nothing.
"""

import ipaddress
import socket

from rag_platform.core.errors import FetchError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_UNICAST = ipaddress.ip_network("2000::/3")
"""All of IPv6 that was given out for the public internet; what lies outside is reserved (IANA)."""
_RESERVED = tuple(
    map(
        ipaddress.ip_network,
        (
            "2001::/23",  # protocol assignments, Teredo among them
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4
            "3fff::/20",  # documentation
            "192.88.99.0/24",  # relays of 6to4
        ),
    )
)
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_ISATAP = (0x0000_5EFE, 0x0200_5EFE)
"""The upper half of an interface's part that embeds an IPv4 address (RFC 5214)."""


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
    """Return whether an address, or the IPv4 address that it only carries, belongs to the public internet.

    Tunnels to IPv4 (6to4, Teredo, ISATAP, the deprecated compatible and translated forms, NAT64 of one's own network)
    are never public, whatever they carry: no public server has such an address, and a router here may unpack it.
    """
    if isinstance(address, ipaddress.IPv6Address):
        if (carried := _carried(address)) is not None:
            return is_public(carried)
        if address not in _UNICAST or (int(address) >> 32) & 0xFFFF_FFFF in _ISATAP:
            return False
    reserved = any(address.version == block.version and address in block for block in _RESERVED)
    return address.is_global and not address.is_multicast and not reserved


def _carried(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """Return the address that an IPv4 one was written as, by the system (mapped) or by DNS64 (NAT64)."""
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped
