"""What runs beyond one machine: [scale] of rag.toml."""

import re
from typing import Literal

from pydantic import Field, field_validator, model_validator

from rag_platform.config.sections.section import Section

_KEYS = ("key", "secret", "token", "password", "aws_access_key_id", "aws_secret_access_key", "aws_session_token")


class ScaleSettings(Section):
    """Which servers stand in the place of files."""

    database: str | None = Field(None, repr=False)
    """PostgreSQL for app data, in place of data/app.sqlite: ``postgresql://rag:${RAG_PASSWORD}@db.example.org/rag``."""
    schema_name: str = Field("rag", pattern="^[a-z][a-z0-9_]{0,39}$")
    """The schema of this workspace there; two that share one would share their chats."""

    store: Literal["folder", "postgres", "lance", "milvus"] = "folder"
    """From where searches read: the folder in data, `database`, which needs pgvector there, `lance`, or `milvus`."""
    lance: str | None = None
    """Where tables of Lance lie that several machines read: a shared folder, or ``s3://bucket/prefix``."""
    lance_options: dict[str, str] = Field({}, repr=False)
    """Lance's: ``aws_endpoint``, ``aws_access_key_id = "${secret:NAME}"``; by default what the environment says."""
    milvus: str | None = None
    """Milvus, which has the vectors then, and `database` the rest: ``http://milvus.example.org:19530``."""
    milvus_options: dict[str, str] = Field({}, repr=False)
    """Its client's: ``token = "${secret:NAME}"``, ``db_name``."""
    executor: Literal["local", "ray"] = "local"
    """Who reads documents and embeds texts: this machine, or the CPUs of a cluster of Ray; it needs the extra ray."""
    ray_address: str = "local"
    """Of the cluster: ``10.0.0.5:6379``, "auto" for the one of this machine; "local" starts one for each run."""
    task_memory_mb: int = Field(2048, ge=64)
    """What a task of Ray may take, its readers' processes apart; what needs more is recorded as failed."""
    objects: str | None = None
    """Where raw bytes and the stages' tables lie in place of data/: ``s3://bucket/prefix``; data/ holds copies then."""
    objects_options: dict[str, str | int | bool] = Field({}, repr=False)
    """For fsspec's file system: ``endpoint_url``, ``key = "${secret:NAME}"``; by default what the environment says."""

    @field_validator("objects")
    @classmethod
    def _of_s3(cls, address: str | None) -> str | None:
        if address and not re.fullmatch(r"s3a?://[^/@:]+(/[^?#@]*)?", address):
            raise ValueError(
                f"{_shown(address)}: expected s3://bucket/prefix, without a key; it is for S3 and what speaks its "
                "protocol, which replace an object only while it is what was read"
            )
        return address.rstrip("/") if address else None

    @field_validator("lance")
    @classmethod
    def _of_a_folder_or_s3(cls, address: str | None) -> str | None:
        if address and "://" in address and not re.fullmatch(r"s3://[^/@:]+(/[^?#@]*)?", address):
            raise ValueError(f"{_shown(address)}: expected a folder, or s3://bucket/prefix, without a key")
        return address.rstrip("/") if address else None

    @field_validator("milvus")
    @classmethod
    def _of_a_server(cls, address: str | None) -> str | None:
        if address and not re.fullmatch(r"https?://[^/@?#]+/?", address):
            raise ValueError(f"{_shown(address)}: expected an address without a key: 'http://milvus.example.org:19530'")
        return address.rstrip("/") if address else None

    @field_validator("objects_options", "lance_options", "milvus_options")
    @classmethod
    def _without_keys(cls, options: dict[str, str | int | bool]) -> dict[str, str | int | bool]:
        for name, value in options.items():
            if name in _KEYS and not (isinstance(value, str) and "${" in value):
                raise ValueError(f"{name}: expected '${{secret:NAME}}' or '${{NAME}}': a key never stands in the file")
        return options

    @model_validator(mode="after")
    def _store_has_an_address(self) -> "ScaleSettings":
        if self.store in ("postgres", "milvus") and not self.database:
            raise ValueError(f"store = {self.store!r} needs database, the address of a server of PostgreSQL")
        if self.store == "milvus" and not self.milvus:
            raise ValueError("store = 'milvus' needs milvus, the address of its server")
        if self.store == "lance" and not self.lance:
            raise ValueError("store = 'lance' needs lance, the folder or s3://bucket/prefix where its tables lie")
        return self

    @field_validator("database")
    @classmethod
    def _of_postgres(cls, address: str | None) -> str | None:
        if address and not re.match(r"postgres(ql)?://|\$\{[^}]+\}$", address):
            raise ValueError("expected an address such as 'postgresql://rag:${RAG_PASSWORD}@db.example.org/rag'")
        return address or None

    def schema_of(self, file: str) -> str:
        """Return the schema that stands in the place of a file of data: "rag" for app.sqlite, else "rag_<its name>"."""
        name = file.removesuffix(".sqlite")
        return self.schema_name if name == "app" else f"{self.schema_name}_{name}"


def _shown(address: str) -> str:
    """Return an address as a message may show it: without what stands before its host."""
    return repr(re.sub("//.*@", "//…@", address))
