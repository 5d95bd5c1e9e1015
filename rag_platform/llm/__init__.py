"""The client of any server that speaks OpenAI's chat completions: vLLM, llama.cpp, LM Studio, Ollama, a service.

waiting.py     requests run on an event loop, so that whoever waits may stop at any moment
connection.py  one server: its models, time-outs, second tries, and what it does not understand
failures.py    what went wrong, and what to do about it
hearing.py     chunks of a stream -> text, thought, tool calls, usage
client.py      hits -> an answer; messages -> a reply
"""

from rag_platform.core.generation import Reply, ToolCall, Usage
from rag_platform.llm.client import OpenAICompatible

__all__ = ["OpenAICompatible", "Reply", "ToolCall", "Usage"]
