"""The fixed conversations of the course, as LangChain messages."""

import json
from dataclasses import dataclass
from pathlib import Path

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

DATA = Path(__file__).parent.parent / "data"


@dataclass(frozen=True)
class Session:
    """One thread: `turns` is a list of turns, a turn a list of messages that begins with the human's."""

    id: str
    thread_id: str
    date: str
    turns: list

    def messages(self, turns=None):
        """All messages of the first `turns` turns, or of all."""
        return [message for turn in self.turns[:turns] for message in turn]


@dataclass(frozen=True)
class Probe:
    """A question to a strategy, asked after turn `after_turn` of a session, in English and Hinglish.

    `expected` is the right answer, or None when the honest answer is "I don't know". `scope` is "within" (the fact was
    said in this session) or "across" (only in an earlier one). `stale` are answers known to be wrong.
    """

    id: str
    fact: str | None
    scope: str
    session: str
    after_turn: int
    question: dict
    expected: str | None
    stale: list


@dataclass(frozen=True)
class Transcript:
    """A user's sessions in order, the facts planted in them, and the probes that ask for the facts."""

    name: str
    user_id: str
    sessions: list
    facts: list
    probes: list


def load(name="support_customer"):
    """The transcript `data/NAME.json`. Raises FileNotFoundError with the names that exist."""
    path = DATA / f"{name}.json"
    if not path.is_file():
        known = [p.stem for p in sorted(DATA.glob("*.json")) if '"sessions"' in p.read_text(encoding="utf-8")]
        raise FileNotFoundError(f"There is no transcript {name!r}; these exist: {', '.join(known)}.")
    data = json.loads(path.read_text(encoding="utf-8"))
    sessions = [Session(s["id"], s["thread_id"], s["date"], [[_message(m) for m in t["messages"]] for t in s["turns"]])
                for s in data["sessions"]]
    return Transcript(data["name"], data["user_id"], sessions, data["facts"], [Probe(**p) for p in data["probes"]])


def _message(data):
    if data["role"] == "human":
        return HumanMessage(data["content"])
    if data["role"] == "tool":
        return ToolMessage(data["content"], tool_call_id=data["tool_call_id"], name=data["name"])
    return AIMessage(data["content"], tool_calls=data.get("tool_calls", []))
