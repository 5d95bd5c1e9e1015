"""The generators of a workspace by name: the servers of the settings, and extracted sentences, which need nothing."""

import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

from rag_platform.config.settings import EXTRACTIVE
from rag_platform.core import ports
from rag_platform.core.errors import SettingsError
from rag_platform.llm.availability import Health
from rag_platform.llm.client import OpenAICompatible

_OPEN = 8
"""Connections for other models of a server that are kept."""
_LISTED_FOR = 60.0
"""Seconds for which the models of servers count as known."""


class Generators:
    """Who may write an answer."""

    def __init__(
        self, servers: Mapping[str, OpenAICompatible], extractive: ports.Generator, default: str | None = None
    ) -> None:
        """Choose among `servers` and `extractive`; `default` names the one that answers when none is asked for."""
        self._servers = dict(servers)
        self._extractive = extractive
        self.default = default or EXTRACTIVE
        self._listed: dict[str, tuple[str, ...]] = {}
        self._asking, self._ask_at = threading.Lock(), 0.0
        self._other = lru_cache(_OPEN)(lambda server, model: self._servers[server].with_model(model))

    def names(self) -> tuple[str, ...]:
        """Return all names, that of the default first."""
        return tuple(dict.fromkeys((self.default, *self._servers, EXTRACTIVE)))

    def choices(self) -> tuple[str, ...]:
        """Return all names, each followed by NAME:MODEL for the other models that its server listed when last asked.

        Servers are asked again after a minute, in the background: whoever chooses does not wait for them.
        """
        with self._asking:
            if self._servers and time.monotonic() >= self._ask_at:
                self._ask_at = time.monotonic() + _LISTED_FOR
                threading.Thread(target=self._list, name="models of servers", daemon=True).start()
        return tuple(one for name in self.names() for one in (name, *self._listed.get(name, ())))

    def _list(self) -> None:
        """Note what each server lists; one that does not answer keeps what it had."""
        for one in self.health():
            if one.name and not one.problem:
                self._listed[one.name] = tuple(f"{one.name}:{model}" for model in one.models if model != one.model)

    def knows(self, name: str) -> bool:
        """Tell whether there is a generator of that name; NAME:MODEL is another model of its server."""
        server, _, model = name.partition(":")
        return server in (self._servers if model else self.names())

    def of(self, name: str | None = None) -> ports.Generator:
        """Return the generator of that name; None: the default; NAME:MODEL: with another model of its server.

        Raises:
            SettingsError: there is no such generator. Whether its server has the model, the first question tells.
        """
        name = name or self.default
        if name == EXTRACTIVE:
            return self._extractive
        if not self.knows(name):
            raise SettingsError(f"there is no generator {name!r}; expected one of: {', '.join(self.names())}")
        server, _, model = name.partition(":")
        return self._other(server, model) if model else self._servers[server]

    def health(self) -> tuple[Health, ...]:
        """Ask every server at once how it is, which takes seconds where one is silent."""
        with ThreadPoolExecutor(max(1, len(self._servers))) as pool:
            futures = {name: pool.submit(server.health) for name, server in self._servers.items()}
        health = {name: future.result() for name, future in futures.items()}
        return tuple((health.get(name) or Health(model=EXTRACTIVE)).named(name) for name in self.names())
