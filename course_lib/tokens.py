"""Counting tokens offline with a vocabulary that a real model family uses."""

import importlib.util
import json
import sys
from functools import lru_cache
from importlib.machinery import PathFinder

from langchain_core.messages import BaseMessage

MESSAGE_OVERHEAD = 3
"""Tokens that mark where a message begins and who speaks (OpenAI cookbook, "How to count tokens with tiktoken")."""


@lru_cache(maxsize=1)
def _vocabulary():
    # `import bpe_openai` reads three vocabularies into Python, several seconds at each start. Its compiled part holds
    # them too and is all that counting needs, so only that part is loaded.
    package = importlib.util.find_spec("bpe_openai").submodule_search_locations
    spec = PathFinder.find_spec("bpe_openai._bindings", package)
    bindings = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bindings)
    return bindings.tokenizer_for_encoding("o200k_base")


def count(what):
    """Tokens of a text, of one message or of a list of messages, in the o200k vocabulary of the GPT-4o family.

    A text costs its tokens. A message costs its text, its tool calls as JSON, and MESSAGE_OVERHEAD.
    A provider's own bill differs by a few tokens a message; the same rule for every strategy keeps the comparison fair.
    """
    if isinstance(what, str):
        return _vocabulary().count(what.encode("utf-8", "replace").decode())  # half a character counts as a "?"
    if isinstance(what, BaseMessage):
        return count(_sent_text(what)) + MESSAGE_OVERHEAD
    return sum(count(message) for message in what)


def _sent_text(message):
    calls = [{"name": call["name"], "args": call["args"]} for call in getattr(message, "tool_calls", [])]
    return message.text + (json.dumps(calls) if calls else "")
