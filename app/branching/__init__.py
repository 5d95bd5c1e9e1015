"""Ask: what stands beside a question or an answer of a chat, and which of two answers is better."""
