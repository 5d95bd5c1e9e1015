"""The generators of a workspace by name: the servers of the settings, and extracted sentences, which need nothing."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

from rag_platform.config.settings import EXTRACTIVE
from rag_platform.core import ports
from rag_platform.core.errors import SettingsError
from rag_platform.llm.availability import Health
from rag_platform.llm.client import OpenAICompatible


class Generators:
    """Who may write an answer."""

    def __init__(
        self, servers: Mapping[str, OpenAICompatible], extractive: ports.Generator, default: str | None = None
    ) -> None:
        """Choose among `servers` and `extractive`; `default` names the one that answers when none is asked for."""
        self._servers = dict(servers)
        self._extractive = extractive
        self.default = default or EXTRACTIVE

    def names(self) -> tuple[str, ...]:
        """Return all names, that of the default first."""
        return tuple(dict.fromkeys((self.default, *self._servers, EXTRACTIVE)))

    def of(self, name: str | None = None) -> ports.Generator:
        """Return the generator of that name; None: the default. `SettingsError` when there is none."""
        name = name or self.default
        if name == EXTRACTIVE:
            return self._extractive
        if name not in self._servers:
            raise SettingsError(f"there is no generator {name!r}; expected one of: {', '.join(self.names())}")
        return self._servers[name]

    def health(self) -> tuple[Health, ...]:
        """Ask every server at once how it is, which takes seconds where one is silent."""
        with ThreadPoolExecutor(max(1, len(self._servers))) as pool:
            futures = {name: pool.submit(server.health) for name, server in self._servers.items()}
        health = {name: future.result() for name, future in futures.items()}
        return tuple((health.get(name) or Health(model=EXTRACTIVE)).named(name) for name in self.names())
