"""Counting tokens offline with a vocabulary that a real model family uses."""

import json
from functools import lru_cache

from langchain_core.messages import BaseMessage

MESSAGE_OVERHEAD = 3
"""Tokens that mark where a message begins and who speaks (OpenAI cookbook, "How to count tokens with tiktoken")."""


@lru_cache(maxsize=1)
def _vocabulary():
    import bpe_openai  # its 200,000 entries take a moment to load: only when something is counted

    return bpe_openai.get_encoding("o200k_base")


def count(what):
    """Tokens of a text, of one message or of a list of messages, in the o200k vocabulary of the GPT-4o family.

    A text costs its tokens. A message costs its text, its tool calls as JSON, and MESSAGE_OVERHEAD.
    A provider's own bill differs by a few tokens a message; the same rule for every strategy keeps the comparison fair.
    """
    if isinstance(what, str):
        return len(_vocabulary().encode_ordinary(what))
    if isinstance(what, BaseMessage):
        return count(_sent_text(what)) + MESSAGE_OVERHEAD
    return sum(count(message) for message in what)


def _sent_text(message):
    calls = [{"name": call["name"], "args": call["args"]} for call in getattr(message, "tool_calls", [])]
    return message.text + (json.dumps(calls) if calls else "")
