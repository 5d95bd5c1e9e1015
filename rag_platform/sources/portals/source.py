"""Sites behind a login: course portals and the like.

A session is had by logging in with headless Chromium, or from cookies of the user's own browser; content is then
fetched over HTTP with its cookies, and with the browser where only that will do. The profile `sakai` knows how a Sakai
course portal names its subjects and tools; `generic` follows links.

A login page instead of content is never content, and never a sign that something is gone.
"""

from rag_platform.config.source_kinds import Context
from rag_platform.core.errors import FetchError, SourceError
from rag_platform.core.ports import Fetched, Item, Listing, Validators
from rag_platform.sources.portals import generic, sakai
from rag_platform.sources.portals.portal_settings import PortalSource
from rag_platform.sources.portals.session import Session

PROFILES = {"generic": generic, "sakai": sakai}
CONFIRMATIONS = 2
"""A listing is made of many answers, any of which may be wrong for once."""


class Portal:
    """Lists what a portal shows its user, and fetches it."""

    def __init__(self, settings: PortalSource, context: Context) -> None:
        self._settings = settings
        self._profile = PROFILES[settings.profile]
        self._pages: set[str] = set()
        self.session = Session(settings, context, self._profile.is_alive)

    def list(self) -> Listing:
        """Name the pages and files; what is in a part that cannot be read is not missing.

        Raises:
            LoginFailed: the portal did not let us in.
            SourceError: it shows nothing at all.
        """
        try:
            self.session.start()
            found = self._profile.read(self.session)
            if not self.session.is_alive():
                raise SourceError(f"the session of source {self._settings.id!r} ended while it was listed; try again")
        finally:
            self.session.close()
        if not found.items:
            reasons = "; ".join(f"{uri}: {reason}" for uri, reason in found.failed[:5]) or "no page was found"
            raise SourceError(f"source {self._settings.id!r} shows nothing to its user: {reasons}")
        self._pages = found.pages
        items = list(found.items.values())[: self._settings.limit]
        return Listing(
            items,
            complete=found.complete and len(found.items) <= self._settings.limit,
            confirmations=CONFIRMATIONS,
            failed=found.failed,
            unlisted=found.unlisted,
        )

    def fetch(self, item: Item, validators: Validators) -> Fetched | None:
        """Give the text that the listing has brought, else fetch the file."""
        if item.content is not None:
            return Fetched(item.content, "text/html; charset=utf-8")
        try:
            return self.session.get(item.uri, validators, html=item.uri in self._pages)
        except FetchError:
            raise
        except SourceError as error:  # no session any more
            raise FetchError(f"{item.uri}: {error}") from error
        finally:
            self.session.close()
