"""One frozen `Settings` object, read once from rag.toml and RAG_* variables.

A variable overrides the file: ``RAG_RETRIEVAL__MODE=lexical`` is ``mode`` in ``[retrieval]``. Every error
names the file, the key, the value given and what was expected.
"""

import os
from collections import Counter
from pathlib import Path
from typing import Annotated

from pydantic import (
    BeforeValidator,
    Field,
    SerializeAsAny,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from rag_platform.config.sections.access import AccessSettings
from rag_platform.config.sections.alerts import AlertSettings
from rag_platform.config.sections.answering import (
    EXTRACTIVE,
    AnswerSettings,
    CheckSettings,
    Contradicted,
    GeneratorSettings,
    PromptSettings,
)
from rag_platform.config.sections.chat_apps import MailSettings, SlackSettings, TeamsSettings
from rag_platform.config.sections.documents import (
    ChunkSettings,
    DocumentSettings,
    TranscriptionSettings,
    VisionSettings,
)
from rag_platform.config.sections.http import HttpSettings, McpSettings
from rag_platform.config.sections.models import DefaultModelSettings, ModelSettings
from rag_platform.config.sections.operations import AuditSettings, DagsterSettings, SecretSettings
from rag_platform.config.sections.releases import (
    GateSettings,
    HealthSettings,
    IndexSettings,
    ShadowSettings,
    SyncSettings,
)
from rag_platform.config.sections.retrieval import MODES, Mode, RerankerSettings, RetrievalSettings
from rag_platform.config.sections.scale import ScaleSettings
from rag_platform.config.sections.sources import BrowserSettings, FetchSettings, SourceSettings
from rag_platform.config.sections.telemetry import TelemetrySettings
from rag_platform.config.source_kinds import settings_of
from rag_platform.core.did_you_mean import did_you_mean
from rag_platform.core.errors import SettingsError
from rag_platform.core.trust import NORMAL, Trust

__all__ = [
    "EXTRACTIVE",
    "FILE",
    "MODES",
    "AccessSettings",
    "AlertSettings",
    "AnswerSettings",
    "AuditSettings",
    "BrowserSettings",
    "CheckSettings",
    "ChunkSettings",
    "Contradicted",
    "DagsterSettings",
    "DocumentSettings",
    "FetchSettings",
    "GateSettings",
    "GeneratorSettings",
    "HealthSettings",
    "HttpSettings",
    "IndexSettings",
    "MailSettings",
    "McpSettings",
    "Mode",
    "ModelSettings",
    "PromptSettings",
    "RerankerSettings",
    "RetrievalSettings",
    "ScaleSettings",
    "SecretSettings",
    "Settings",
    "SlackSettings",
    "SourceSettings",
    "SyncSettings",
    "TeamsSettings",
    "TelemetrySettings",
    "TranscriptionSettings",
    "VisionSettings",
]
FILE = "rag.toml"
Source = Annotated[SerializeAsAny[SourceSettings], BeforeValidator(settings_of)]


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
    model: DefaultModelSettings = DefaultModelSettings()
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
    prompts: dict[str, PromptSettings] = Field({})
    """Saved prompts, by the name under which a question asks for one."""
    documents: DocumentSettings = DocumentSettings()
    vision: VisionSettings = VisionSettings()
    transcription: TranscriptionSettings = TranscriptionSettings()
    answer: AnswerSettings = AnswerSettings()
    check: CheckSettings = CheckSettings()
    gate: GateSettings = GateSettings()
    index: IndexSettings = IndexSettings()
    health: HealthSettings = HealthSettings()
    sync: SyncSettings = SyncSettings()
    shadow: ShadowSettings = ShadowSettings()
    secrets: SecretSettings = SecretSettings()
    browser: BrowserSettings = BrowserSettings()
    access: AccessSettings = AccessSettings()
    audit: AuditSettings = AuditSettings()
    http: HttpSettings = HttpSettings()
    mcp: McpSettings = McpSettings()
    telemetry: TelemetrySettings = TelemetrySettings()
    dagster: DagsterSettings = DagsterSettings()
    alerts: AlertSettings = AlertSettings()
    slack: SlackSettings = SlackSettings()
    teams: TeamsSettings = TeamsSettings()
    mail: MailSettings = MailSettings()
    scale: ScaleSettings = ScaleSettings()

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

    @model_validator(mode="after")
    def _check_can_be_asked(self) -> "Settings":
        name = self.check.generator
        if name is not None and name not in self.servers:
            known = ", ".join(self.servers) or "none"
            raise ValueError(
                f"check.generator = {name!r}; expected one of: {known}. Add a table [generators.{name}] with its "
                "base_url, or leave check.generator out for the server of [generator]"
            )
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

    @model_validator(mode="after")
    def _pages_can_be_read(self) -> "Settings":
        for source in self.sources:
            ways = {source.page_text, *source.page_text_of.values()}
            if "vision" in ways and not self.vision.base_url:
                raise ValueError(
                    f"source {source.id!r} has page_text = 'vision'; set vision.base_url, the server of a vision model"
                )
            if "ocr" in ways and self.documents.ocr == "off":
                raise ValueError(
                    f"source {source.id!r} has page_text = 'ocr', and documents.ocr is 'off'; change one of them"
                )
        return self

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

    @property
    def trust(self) -> dict[str, Trust]:
        """Levels of trust that are set, by "source" and by "source/collection": see `core.trust`."""
        of_sources = {source.id: source.trust for source in self.sources if source.trust != NORMAL}
        of_collections = {f"{one.id}/{name}": level for one in self.sources for name, level in one.trust_of.items()}
        return of_sources | of_collections

    def model_of(self, source_id: str) -> ModelSettings:
        """Return the embedding model of a source: the one that it names, else that of [model]."""
        name = self.source(source_id).model
        return self.model if name is None else self.models[name]

    @property
    def multilingual(self) -> ModelSettings | None:
        """The embedding model of languages that [model] does not read; None: there is none."""
        name = self.model.multilingual
        if not name or name == self.model.name:
            return None
        alike = ModelSettings(name=name, precision=self.model.precision, threads=self.model.threads)
        return self.models.get(name, alike)

    @property
    def max_ages(self) -> dict[str, float]:
        """Days after which a document is archived, of the sources that set them."""
        return {source.id: source.archive_after_days for source in self.sources if source.archive_after_days}

    def source(self, source_id: str) -> SourceSettings:
        """Return the source of that id."""
        for source in self.sources:
            if source.id == source_id:
                return source
        known = [source.id for source in self.sources]
        hint = f"; {near}" if (near := did_you_mean(source_id, known)) else ""
        raise SettingsError(
            f"{self.home / FILE}: no source has the id {source_id!r}; known: {', '.join(known) or 'none'}{hint}"
        )
