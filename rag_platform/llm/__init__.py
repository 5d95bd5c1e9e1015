"""The client of any server that speaks OpenAI's chat completions: vLLM, llama.cpp, LM Studio, Ollama, a service.

event_loop.py      requests that can be cancelled at any moment
connection.py      one server: its models, time-outs, retries, and the parameters it does not support
failures.py        what went wrong, and what to do about it
stream_parsing.py  chunks of a stream -> text, reasoning, tool calls, usage
client.py          hits -> an answer; messages -> a reply
judgements.py      several judgements in one reply: its form, and reading it
reasoning.py       what a model thinks, apart from what it says
availability.py    how a server is
json_endpoint.py    one address of any server: JSON there and back, for embeddings and reranking
prompt.py          hits -> the messages of a prompt; shared with reranking and claim checks
"""

from rag_platform.core.generation import Reply, ToolCall, Usage
from rag_platform.llm.client import OpenAICompatible

__all__ = ["OpenAICompatible", "Reply", "ToolCall", "Usage"]
