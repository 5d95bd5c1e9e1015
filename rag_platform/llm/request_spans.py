"""Requests to a language model as spans, by OpenTelemetry's semantic conventions for generative models."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rag_platform.config.sections.servers import ServerSettings
from rag_platform.core.generation import Reply, Usage
from rag_platform.monitoring.tracing import STAGE


def request_attributes(settings: ServerSettings, request: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is known of a request before it is sent."""
    return {
        STAGE: "model.chat",
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",  # whose protocol it is
        "gen_ai.request.model": request["model"],
        "gen_ai.request.max_tokens": request["max_tokens"],
        "gen_ai.request.temperature": request["temperature"],
        "gen_ai.input.messages": lambda: _messages(request["messages"]),
        "server.address": settings.shown_url,
    }


def reply_attributes(settings: ServerSettings) -> Callable[[Reply], dict[str, Any]]:
    """Return what tells of a reply: what it is, and what it took."""

    def told(reply: Reply) -> dict[str, Any]:
        spent = _spent(settings, reply.usage) if reply.usage else {}
        return spent | {
            "gen_ai.response.model": reply.model,
            "gen_ai.response.finish_reasons": [reply.finish or "error"],
            "gen_ai.output.messages": lambda: _messages([{"role": "assistant", "content": reply.text}]),
        }

    return told


def _spent(settings: ServerSettings, usage: Usage) -> dict[str, Any]:
    cost = (usage.prompt * settings.input_price + usage.completion * settings.output_price) / 1e6
    return {
        "gen_ai.usage.input_tokens": usage.prompt,
        "gen_ai.usage.output_tokens": usage.completion,
        "rag.cost": cost,
    }


def _messages(messages: Sequence[Mapping[str, Any]]) -> str:
    """Return messages in the JSON of the semantic conventions; pictures are left out."""
    told = [
        {"role": message["role"], "parts": [{"type": "text", "content": message["content"]}]}
        for message in messages
        if isinstance(message.get("content"), str)
    ]
    return json.dumps(told, ensure_ascii=False)
