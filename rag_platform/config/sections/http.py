"""How the API and the page are listened to: [http] of rag.toml."""

from ipaddress import ip_network

from pydantic import Field, field_validator

from rag_platform.config.sections.section import Section


class HttpSettings(Section):
    """Who stands before the servers of the API and the page, and what one client may hold of them."""

    proxies: tuple[str, ...] = ()
    """Addresses or networks of reverse proxies, whose X-Forwarded-For and X-Forwarded-Proto are believed."""
    hosts: tuple[str, ...] = ()
    """Names under which the page may be asked for; none: this machine's own, or any where others are served."""
    connections: int = Field(500, ge=10)
    """Most connections at a time."""
    connections_per_address: int = Field(100, ge=5)
    """Most of them from one address (IPv4) or network of 64 bits (IPv6); proxies are not limited."""
    header_seconds: float = Field(10.0, gt=0)
    """Until a connection's request must have come up to its body."""
    idle_seconds: float = Field(5.0, gt=0)
    """Until a connection without a further request is closed."""
    stalled_seconds: float = Field(30.0, gt=0)
    """Until a body slower than 1 kB/s, or a client that does not read its answer, is given up."""

    @field_validator("proxies")
    @classmethod
    def _addresses(cls, proxies: tuple[str, ...]) -> tuple[str, ...]:
        for proxy in proxies:
            try:
                ip_network(proxy)
            except ValueError as error:
                raise ValueError(f"{proxy!r}: expected an address or a network, such as '10.0.0.0/8'") from error
        return proxies
