"""Loading a transcript: the file's turns as LangChain messages, in order and complete."""

import json

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from course_lib import transcripts

CLASSES = {"human": HumanMessage, "ai": AIMessage, "tool": ToolMessage}


@pytest.fixture(scope="module")
def transcript():
    return transcripts.load()


@pytest.fixture(scope="module")
def raw():
    return json.loads((transcripts.DATA / "support_customer.json").read_text(encoding="utf-8"))


def test_each_message_of_the_file_is_there(transcript, raw):
    assert [(s.id, s.thread_id, s.date) for s in transcript.sessions] == [
        (s["id"], s["thread_id"], s["date"]) for s in raw["sessions"]
    ]
    for session, written in zip(transcript.sessions, raw["sessions"], strict=True):
        loaded = [[(type(m), m.text) for m in turn] for turn in session.turns]
        assert loaded == [[(CLASSES[m["role"]], m["content"]) for m in t["messages"]] for t in written["turns"]]


def test_messages_of_the_first_turns(transcript):
    session = transcript.sessions[0]
    assert session.messages(0) == []
    assert session.messages(2) == [*session.turns[0], *session.turns[1]]
    assert session.messages() == session.messages(len(session.turns))
    assert sum(isinstance(m, HumanMessage) for m in session.messages(5)) == 5


def test_a_result_keeps_the_call_that_it_answers(transcript):
    messages = [message for session in transcript.sessions for message in session.messages()]
    calls = {call["id"]: call["name"] for m in messages if isinstance(m, AIMessage) for call in m.tool_calls}
    results = {m.tool_call_id: m.name for m in messages if isinstance(m, ToolMessage)}
    assert results and results == calls


def test_the_probes_of_the_file_are_there(transcript, raw):
    assert [vars(probe) for probe in transcript.probes] == raw["probes"]


def test_two_loads_share_nothing(transcript):
    changed = transcripts.load()
    changed.sessions[0].turns.clear()
    assert transcripts.load().sessions[0].turns


def test_an_unknown_name_is_told_the_names_that_exist():
    with pytest.raises(FileNotFoundError, match=r"no transcript 'nobody'.*: support_customer\.$"):
        transcripts.load("nobody")
