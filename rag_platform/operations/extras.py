"""What need not be there: packages of extras, programs and servers, what each is for, and which sources need it."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from rag_platform.config.sections.sources import SourceSettings
from rag_platform.config.settings import Settings
from rag_platform.core.errors import FetchError
from rag_platform.core.installation import install_command
from rag_platform.documents.formats.converters.registry import CONVERTERS
from rag_platform.documents.formats.images.tesseract import tesseract_languages
from rag_platform.sources.browser.chromium import find_chromium

PACKAGES = (
    ("ir-measures", "eval", "the gate, and `rag eval`"),
    ("dagster-webserver", "dagster", "schedules, and the pipeline in the browser"),
    ("streamlit", "page", "the page"),
    ("playwright", "browser", "portals, and pages made by scripts"),
    ("rapidocr", "ocr", "text of scanned pages and images"),
    ("rars", "rar", "RAR archives"),
    ("authlib", "login", "signing in on the page"),
    ("keyring", "keyring", "secrets in the system's keyring"),
    ("psycopg", "postgres", "PostgreSQL"),
    ("pymysql", "mysql", "MySQL and MariaDB"),
    ("duckdb-engine", "duckdb", "DuckDB files as a source"),
    ("s3fs", "s3", "S3 storage"),
    ("ray", "ray", "reading documents on a cluster of Ray"),
    ("pylance", "lance", "versions as tables of Lance"),
    ("dlt", "dlt", "sources that dlt reads"),
    ("llama-index-core", "llamahub", "sources that readers of LlamaHub read"),
    ("mcp", "mcp", "agents, by the Model Context Protocol"),
    ("langchain-core", "langchain", "a retriever for LangChain"),
    ("llama-index-core", "llamaindex", "a retriever and a query engine for LlamaIndex"),
    ("haystack-ai", "haystack", "a component for Haystack"),
    ("dspy", "dspy", "a retriever for DSPy"),
    ("lancedb", "lancedb", "tables of LanceDB"),
    ("slack-bolt", "slack", "answers in Slack"),
    ("sentence-transformers", "torch", "models that have no ONNX graph"),
    ("opentelemetry-sdk", "telemetry", "traces and logs for OpenTelemetry"),
    ("vllm", "serve", "a language model on this machine's GPU"),
)
DATABASES = {
    "postgres": "postgres",
    "postgresql": "postgres",
    "mysql": "mysql",
    "mariadb": "mysql",
    "duckdb": "duckdb",
}


@dataclass(frozen=True, slots=True)
class OptionalPart:
    """One optional part."""

    name: str
    purpose: str
    found: str | None
    """Its version, place or address; None: it is not there."""
    mend: str
    """How to get it."""
    needed_by: tuple[str, ...] = ()
    """Sources that cannot be read without it."""


def optional_parts(settings: Settings) -> Iterator[OptionalPart]:
    """Look for each part."""
    for package, extra, purpose in PACKAGES:
        users = tuple(source.id for source in settings.sources if extra in _extras_of(source))
        yield OptionalPart(package, purpose, _version(package), install_command(extra), users)
    browsed = tuple(source.id for source in settings.sources if "browser" in _extras_of(source))
    purpose = "portals, and pages made by scripts"
    yield OptionalPart(
        "Chromium", purpose, _chromium(settings), "apt-get install chromium, or [browser] executable", browsed
    )
    tongues = f"{shutil.which('tesseract')} ({', '.join(tesseract_languages())})" if tesseract_languages() else None
    yield OptionalPart("tesseract", "scans in Hindi, Arabic, Russian …", tongues, "apt-get install tesseract-ocr-hin …")
    for converter in CONVERTERS:
        yield OptionalPart(converter.name, converter.purpose, converter.version() or None, converter.install)
    stored = tuple(source.id for source in settings.sources if source.kind == "git")
    yield OptionalPart("git", "Git repositories", shutil.which("git"), "apt-get install git", stored)
    yield OptionalPart(
        "vision model", "pages without text, as pictures", settings.vision.base_url, "set [vision] base_url"
    )
    speech = settings.transcription.base_url
    yield OptionalPart("transcription", "what is said in recordings", speech, "set [transcription] base_url")
    servers = ", ".join(f"{name} ({server.shown_url})" for name, server in settings.servers.items()) or None
    yield OptionalPart("language model", "answers in its own words", servers, "set [generator] base_url")


def _extras_of(source: SourceSettings) -> set[str]:
    """Tell which extras a source cannot do without."""
    address = str(getattr(source, "url", ""))
    if source.kind == "portal" or getattr(source, "javascript", False):
        return {"browser"}
    if source.kind == "sql":
        return {DATABASES.get(address.split(":", 1)[0].split("+", 1)[0], "")}
    if source.kind in ("dlt", "llamahub"):
        return set() if getattr(source, "python", None) else {source.kind}
    if source.kind == "store":
        return {{"lancedb": "lancedb", "pgvector": "postgres"}.get(getattr(source, "format", ""), "")}
    return {"s3"} if source.kind == "objects" and address.startswith("s3:") else set()


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _chromium(settings: Settings) -> str | None:
    try:
        return find_chromium(settings.browser)
    except FetchError:
        return None
