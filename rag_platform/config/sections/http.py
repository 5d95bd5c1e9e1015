"""How the API and the page are listened to: [http] of rag.toml; what agents may do: [mcp]."""

import re
from ipaddress import ip_network

from pydantic import Field, field_validator

from rag_platform.config.sections.section import Section

_ORIGIN = re.compile(r"https?://(\*\.)?[A-Za-z0-9.-]+(:\d{1,5})?|https?://\[[0-9A-Fa-f:.]+\](:\d{1,5})?")


class HttpSettings(Section):
    """Who stands before the servers of the API and the page, and what one client may hold of them."""

    proxies: tuple[str, ...] = ()
    """Addresses or networks of reverse proxies, whose X-Forwarded-For and X-Forwarded-Proto are believed."""
    hosts: tuple[str, ...] = ()
    """Names under which the page may be asked for; none: this machine's own, or any where others are served."""
    origins: tuple[str, ...] = ()
    """Origins of web pages whose scripts may ask the API: ``https://portal.example.org``; "*" is any."""
    widget_on: tuple[str, ...] = ()
    """Origins of the sites that may show the widget: ``https://www.example.org``."""
    connections: int = Field(500, ge=10)
    """Most connections at a time."""
    connections_per_address: int = Field(100, ge=5)
    """Most of them from one address (IPv4) or network of 64 bits (IPv6); proxies are not limited."""
    header_seconds: float = Field(10.0, gt=0)
    """Until a connection's request must have come up to its body."""
    idle_seconds: float = Field(5.0, gt=0)
    """Until a connection without a further request is closed."""
    stop_seconds: int = Field(30, ge=1)
    """For which a server that is asked to stop goes on with what it has begun."""
    stalled_seconds: float = Field(30.0, gt=0)
    """Until a body slower than 1 kB/s, or a client that does not read its answer, is given up."""

    @field_validator("widget_on")
    @classmethod
    def _origins(cls, sites: tuple[str, ...]) -> tuple[str, ...]:
        if wrong := next((site for site in sites if not _ORIGIN.fullmatch(site)), None):
            raise ValueError(f"{wrong!r}: expected an origin, such as 'https://www.example.org'")
        return sites

    @field_validator("origins")
    @classmethod
    def _pages(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        for origin in origins:
            if origin != "*" and ("*" in origin or not _ORIGIN.fullmatch(origin)):
                raise ValueError(f"{origin!r}: expected an origin, such as 'https://portal.example.org', or '*'")
        return origins

    @field_validator("proxies")
    @classmethod
    def _addresses(cls, proxies: tuple[str, ...]) -> tuple[str, ...]:
        for proxy in proxies:
            try:
                ip_network(proxy)
            except ValueError as error:
                raise ValueError(f"{proxy!r}: expected an address or a network, such as '10.0.0.0/8'") from error
        return proxies


class McpSettings(Section):
    """What agents may do that reach the workspace by the Model Context Protocol."""

    feedback: bool = False
    """Whether they may judge answers; without it, they only read."""
