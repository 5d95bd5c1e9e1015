"""Every error this library raises on purpose, in one tree.

::

    RagError
    ├── SettingsError       a key of rag.toml or a RAG_* variable is wrong (exit code 2)
    ├── MissingExtra        an optional package is not installed; says the command that installs it
    ├── SecretError         a secret is missing, or the place where secrets are kept cannot be opened
    ├── StorageError        a table, blob or version could not be written or read (full disk, damage)
    │   ├── DatabaseUnavailable  the server of app data cannot be reached
    │   ├── LockLost        the server that kept a lock for us is gone: another process may have it now
    │   └── DamagedFile     a file does not say what was written to it; `rag repair` mends it
    ├── WorkspaceBusy       another process is writing this workspace
    ├── OrchestratorError   Dagster refused what it was asked
    │   └── OrchestratorDown  it cannot be reached
    ├── SourceError         a source could not be listed
    │   ├── FetchError      one item could not be fetched; the others go on
    │   ├── LoginFailed     a portal did not let us in
    │   └── MassDeletion    a sync would remove too much of a source and stopped to ask
    ├── ExtractionError     one document's bytes could not be read; the others go on
    │   ├── ReadingStopped  its reader died or passed a limit; another run may read it
    │   └── Unconverted     no reader reads them, and the program that may do so is not there or refused them
    ├── Unprotected         documents could not be kept from the system, and the settings ask for it
    ├── ModelError          model weights are missing, damaged or not the ones expected
    ├── VersionError        an index version is missing or damaged
    │   ├── DamagedVersion  its files are not those that were built
    │   └── NothingPublished  there is no live version yet
    ├── NotFound            no receipt or document has the name given, or several have
    ├── UploadRefused       a file or a collection was not taken
    │   ├── TooLarge        it has more bytes, or there are more of them, than is allowed
    │   └── AlreadyThere    there is one of that name
    ├── RuleRefused         a rule about who may read, or a group, makes no sense
    ├── AccessDenied        somebody may not use the page, or not do this
    │   ├── SignInExpired   they signed in too long ago
    │   └── IssuerSilent    whoever signs the tokens cannot be asked for its keys
    ├── TooManyRequests     somebody asked more often than is allowed
    ├── DocumentForgotten   an answer rests on a document that was forgotten while it was written
    ├── QuestionSetError    a question set is malformed or labels what is not there
    ├── ClaimFileError      a file of claims cannot be read, or holds none that can be used
    ├── AlertFailed         an alert could not be delivered; a later run tries again
    ├── RerankError         a reranker could not judge the candidates, or not all of them
    └── GenerationError     a generator (language model server) failed
        ├── ContextOverflow   the prompt is longer than the model's context
        └── ToolsRefused      the server does not take tools

A message says what was given, what was expected and what to do.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


class RagError(Exception):
    """Base of all errors of this library."""

    exit_code = 1


def message_of(error: Exception) -> str:
    """Return an error's words; one that nobody raised on purpose is named with its type."""
    return str(error) if isinstance(error, RagError) else f"unexpected {type(error).__name__}: {error}"


class SettingsError(RagError):
    """A setting is missing, unknown or has a wrong value."""

    exit_code = 2


class MissingExtra(RagError):
    """An optional package is needed and absent."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        from rag_platform.core.installation import install_command  # reads what is installed: only for this message

        super().__init__(
            f"{purpose} needs the package {package!r}, which is not installed. "
            f"Install it with: {install_command(extra)}"
        )
        self.package = package
        self.extra = extra


class SecretError(RagError):
    """A secret is missing, or where secrets are kept cannot be opened."""


class StorageError(RagError):
    """Data at rest could not be written or read."""


class DatabaseUnavailable(StorageError):
    """The server of app data cannot be reached now, or refuses; `seconds` says when to try again."""

    seconds = 5


class LockLost(StorageError):
    """A lock went while it was held, so that another machine may be writing now."""


class DamagedFile(StorageError):
    """A file of the workspace does not say what was written to it."""

    def __init__(self, path: object, why: str) -> None:
        super().__init__(f"{path} is damaged: {why}. `rag repair` mends it")


class WorkspaceBusy(RagError):
    """Another process holds the lock that this step needs."""


class OrchestratorError(RagError):
    """Dagster refused what it was asked."""


class OrchestratorDown(OrchestratorError):
    """Dagster cannot be reached."""


class SourceError(RagError):
    """A source could not be listed."""


class FetchError(SourceError):
    """One item of a source could not be fetched."""


class LoginFailed(SourceError):
    """A portal did not let us in; nothing was read and nothing deleted."""


class MassDeletion(SourceError):
    """A sync would remove more of a source than is plausible."""


class ExtractionError(RagError):
    """The bytes of one document could not be turned into text."""


class ReadingStopped(ExtractionError):
    """The process that read a document died or was ended because of a limit; at another time it may be read."""


class Unconverted(ExtractionError):
    """No reader here reads a document, and the program that may convert it is not there, switched off or refused it.

    Attributes:
        converter: Its name.
    """

    def __init__(self, message: str, converter: str) -> None:
        super().__init__(message)
        self.converter = converter


class Unprotected(RagError):
    """Documents would be read by a process that reaches what it must not, and the settings forbid that."""


class ModelError(RagError):
    """Model weights are missing, damaged or not the expected ones."""


class VersionError(RagError):
    """An index version is missing or damaged."""


class DamagedVersion(VersionError):
    """The files of a version are not those that were built."""


class NothingPublished(VersionError):
    """No index version has been published yet."""


class NotFound(RagError):
    """What was named is not there, or the name fits several."""


class UploadRefused(RagError):
    """A file or a collection was not taken, or not changed."""

    def __init__(self, error: str, expected: str, do: str) -> None:
        super().__init__(f"{error}; expected {expected}. {do}")
        self.error, self.expected, self.do = error, expected, do


class TooLarge(UploadRefused):
    """A file has more bytes, or a collection more files, than is allowed."""


class AlreadyThere(UploadRefused):
    """There is something of that name already."""


class RuleRefused(RagError):
    """A rule about who may read, or a group, makes no sense."""

    exit_code = 2


class AccessDenied(RagError):
    """Somebody may not use the page, or not do what they tried."""


class SignInExpired(AccessDenied):
    """Somebody signed in too long ago."""


class IssuerSilent(AccessDenied):
    """Whoever signs the tokens does not give its keys; `seconds` says when it is asked again."""

    def __init__(self, message: str, seconds: int) -> None:
        super().__init__(message)
        self.seconds = seconds


class TooManyRequests(RagError):
    """Somebody asked more often than is allowed; `seconds` says when to try again."""

    def __init__(self, kind: str, most: int, seconds: int) -> None:
        super().__init__(f"more than {most} {kind} within a minute; try again in {seconds} seconds")
        self.kind, self.seconds = kind, seconds


class DocumentForgotten(RagError):
    """A document was forgotten while an answer was written from it."""


class QuestionSetError(RagError):
    """A question set is malformed."""


class ClaimFileError(RagError):
    """A file of claims cannot be read, or holds none that can be used."""


class AlertFailed(RagError):
    """An alert could not be delivered."""

    def __init__(self, message: str, *, transient: bool) -> None:
        """`transient`: another try may do."""
        super().__init__(message)
        self.transient = transient


class RerankError(RagError):
    """A reranker could not judge all candidates; the search goes on with what it has, and says so."""

    def __init__(self, message: str, scores: "np.ndarray") -> None:
        """`scores` is what `ports.Reranker.score` would have returned, NaN where there is no judgement."""
        super().__init__(message)
        self.scores = scores


class GenerationError(RagError):
    """A generator failed to answer."""


class ContextOverflow(GenerationError):
    """A server refused a prompt because it is longer than the model's context."""


class ToolsRefused(GenerationError):
    """A server, or its model, does not take tools; without them it may answer."""
