"""Counting tokens: the figures of OpenAI's own vocabulary, and the rule for messages."""

import json

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from course_lib import tokens, transcripts

CALL = {"name": "find_order", "args": {"order": "KB-4471-X"}, "id": "call_1"}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("hello", 1),
        ("hello world", 2),
        ("tiktoken is great!", 6),  # the example of OpenAI's cookbook
        ("antidisestablishmentarianism", 6),  # there too, for o200k_base
        ("2 + 2 = 4", 7),  # there too
        ("お誕生日おめでとう", 8),  # there too
        ("<|endoftext|>", 7),  # text of a user, not a special token
        ("a\ud800b", tokens.count("a?b")),
    ],
)
def test_a_text(text, count):
    assert tokens.count(text) == count


def test_the_whole_package_counts_the_same():
    import bpe_openai

    vocabulary = bpe_openai.get_encoding("o200k_base")
    for session in transcripts.load().sessions:
        for message in session.messages():
            assert tokens.count(message.text) == len(vocabulary.encode_ordinary(message.text))


def test_a_message_costs_its_text_and_the_overhead():
    assert tokens.count(HumanMessage("hello world")) == 2 + tokens.MESSAGE_OVERHEAD
    assert tokens.count(HumanMessage("")) == tokens.MESSAGE_OVERHEAD


def test_a_tool_call_costs_its_json():
    written = json.dumps([{"name": "find_order", "args": {"order": "KB-4471-X"}}])
    assert tokens.count(AIMessage("", tool_calls=[CALL])) == tokens.count(written) + tokens.MESSAGE_OVERHEAD


def test_a_list_costs_the_sum():
    one, two = HumanMessage("hello"), AIMessage("hello world")
    assert tokens.count([one, two]) == tokens.count(one) + tokens.count(two)
    assert tokens.count([]) == 0
