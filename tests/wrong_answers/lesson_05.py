"""Answers to the exercises of lesson 05 that must not pass."""

import random
import secrets
import sqlite3
import time
import uuid
from collections import Counter
from hashlib import sha256

from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, MessagesState, StateGraph

# --- warm_up


def turns(events, counts):
    """The counts for the events that are turns; `counts` is called with each event, also with RESTART."""
    return [number for number in map(counts, events) if number]


def memory_survives(saver, events):
    kept = Counter()

    def count(event):
        kept[event] += 0 if event == "RESTART" else 2
        return 0 if event == "RESTART" else 1 if saver == "none" else kept[event] - 1

    return turns(events, count)


def file_is_lost_too(saver, events):
    kept = Counter()

    def count(event):
        if event == "RESTART":
            return kept.clear()
        kept[event] += 2
        return 1 if saver == "none" else kept[event] - 1

    return turns(events, count)


def one_page_for_all(saver, events):
    seen, answer = 0, []
    for event in events:
        if event == "RESTART":
            seen = seen if saver == "file" else 0
        else:
            answer.append(1 if saver == "none" else seen + 1)
            seen += 2
    return answer


def counts_the_reply_to_come(saver, events):
    return [number + 1 for number in file_is_lost_too(saver, events)]


def forgets_the_replies(saver, events):
    return [(number + 1) // 2 for number in memory_survives(saver, events)]


def restart_is_a_turn(saver, events):
    kept = Counter(events[:0])
    answer = []
    for event in events:
        answer.append(1 if saver == "none" else kept[event] + 1)
        kept[event] += 2
    return answer


def none_is_memory(saver, events):
    kept, answer = Counter(), []
    for event in events:
        if event == "RESTART":
            kept = kept if saver == "file" else Counter()
        else:
            answer.append(kept[event] + 1)
            kept[event] += 2
    return answer


def a_dict_of_counts(saver, events):
    return dict(enumerate(memory_survives(saver, events)))


def empties_the_events(saver, events):
    answer = memory_survives(saver, events) if saver == "file" else file_is_lost_too(saver, events)
    events.clear()
    return answer


# --- core


def talker(saver, node):
    graph = StateGraph(MessagesState)
    graph.add_node("reply", node)
    graph.add_edge(START, "reply")
    graph.add_edge("reply", END)
    compiled = graph.compile(checkpointer=saver)

    def talk(thread_id, text):
        config = {"configurable": {"thread_id": thread_id}}
        return compiled.invoke({"messages": [HumanMessage(text)]}, config)["messages"][-1].content

    return talk


def lasting(file):
    return SqliteSaver(sqlite3.connect(file, check_same_thread=False))


def slate(file, node):
    return talker(InMemorySaver(), node)


SLATES = {}


def slates_by_file(file, node):
    return talker(SLATES.setdefault(file, InMemorySaver()), node)


def no_saver(file, node):
    return talker(None, node)


def no_with(file, node):
    return talker(SqliteSaver.from_conn_string(file), node)


def with_that_ends(file, node):
    with SqliteSaver.from_conn_string(file) as saver:
        return talker(saver, node)


def enter_without_keeping(file, node):
    return talker(SqliteSaver.from_conn_string(file).__enter__(), node)


def default_connection(file, node):
    return talker(SqliteSaver(sqlite3.connect(file)), node)


def database_in_memory(file, node):
    return talker(lasting(":memory:"), node)


def text_as_connection(file, node):
    return talker(SqliteSaver(file), node)


FIRST = {}


def first_file_for_all(file, node):
    return talker(FIRST.setdefault("saver", lasting(":memory:")), node)


def one_thread_for_all(file, node):
    talk = talker(lasting(file), node)
    return lambda thread_id, text: talk("chat", text)


def starts_with_an_empty_file(file, node):
    with sqlite3.connect(file) as connection:
        for table in ("checkpoints", "writes"):
            connection.execute(f"DROP TABLE IF EXISTS {table}")
    connection.close()
    return talker(lasting(file), node)


def own_thread_only(file, node):
    connection = sqlite3.connect(file)

    def talk(thread_id, text):
        connection.execute("SELECT 1")  # raises in any other thread
        return talker(lasting(file), node)(thread_id, text)

    return talk


def talk_returns_nothing(file, node):
    talk = talker(lasting(file), node)

    def silent(thread_id, text):
        talk(thread_id, text)

    return silent


def talk_returns_a_list(file, node):
    talk = talker(lasting(file), node)
    return lambda thread_id, text: [talk(thread_id, text)]


def returns_the_saver(file, node):
    return lasting(file)


def returns_nothing(file, node):
    talker(lasting(file), node)


def talks_at_once(file, node):
    return talker(lasting(file), node)("meera", "rice 120")


# --- stretch


class Right:
    """Right, so that each wrong one below differs from it in one place."""

    def __init__(self):
        self.owner = {}

    def open_room(self, name):
        room = f"{name}_{self.secret(name)}"
        self.owner[room] = name
        return room

    def secret(self, name):
        return secrets.token_hex(16)

    def door(self, name, room):
        if not self.allowed(name, room):
            raise PermissionError(room)
        return {"configurable": {"thread_id": room}}

    def allowed(self, name, room):
        return room in self.owner and self.owner[room] == name


class PseudoRandom(Right):
    def secret(self, name):
        return f"{random.getrandbits(128):032x}"


class FourDigits(Right):
    def secret(self, name):
        return str(secrets.randbelow(10_000))


class ByTheClock(Right):
    def secret(self, name):
        return f"{time.time_ns():032d}"


class ByMachineAndClock(Right):
    def secret(self, name):
        return uuid.uuid1().hex


class Counts(Right):
    def secret(self, name):
        return f"{len(self.owner):032d}"


class HashOfTheName(Right):
    def secret(self, name):
        return sha256(name.encode()).hexdigest()


class HashOfTheCount(Right):
    def secret(self, name):
        return sha256(f"{name}{len(self.owner)}".encode()).hexdigest()


class NameAlone(Right):
    def open_room(self, name):
        self.owner[name] = name
        return name


class SecretAlone(Right):
    def open_room(self, name):
        room = self.secret(name)
        self.owner[room] = name
        return room


class WrongOrder(Right):
    def open_room(self, name):
        room = f"{self.secret(name)}_{name}"
        self.owner[room] = name
        return room


class NoDoor(Right):
    def allowed(self, name, room):
        return True


class AnyOpenRoom(Right):
    def allowed(self, name, room):
        return room in self.owner


class ByBeginning(Right):
    def allowed(self, name, room):
        return room in self.owner and room.startswith(f"{name}_")


class ByBeginningAlone(Right):
    def allowed(self, name, room):
        return isinstance(room, str) and room.startswith(f"{name}_")


class ByFirstWord(Right):
    def allowed(self, name, room):
        return room in self.owner and room.split("_")[0] == name


class OnlyTheNewest(Right):
    def open_room(self, name):
        room = super().open_room(name)
        self.owner = {key: owner for key, owner in self.owner.items() if owner != name or key == room}
        return room


class GetsNoneFromTheDict(Right):
    def allowed(self, name, room):
        return self.owner.get(room) == name


class KeyErrorForUnknown(Right):
    def allowed(self, name, room):
        return self.owner[room] == name


class SharedByAllObjects(Right):
    shared = {}

    def __init__(self):
        self.owner = self.shared


class ReturnsFalse(Right):
    def door(self, name, room):
        return self.allowed(name, room) and super().door(name, room)


class ReturnsTheRoom(Right):
    def door(self, name, room):
        return super().door(name, room)["configurable"]["thread_id"]


class ValueErrorInstead(Right):
    def door(self, name, room):
        if not self.allowed(name, room):
            raise ValueError(room)
        return super().door(name, room)


def named(*answers):
    return {answer.__name__: answer for answer in answers}


WRONG = {
    "warm_up": named(
        memory_survives,
        file_is_lost_too,
        one_page_for_all,
        counts_the_reply_to_come,
        forgets_the_replies,
        restart_is_a_turn,
        none_is_memory,
        a_dict_of_counts,
        empties_the_events,
    ),
    "core": named(
        slate,
        slates_by_file,
        no_saver,
        no_with,
        with_that_ends,
        enter_without_keeping,
        default_connection,
        database_in_memory,
        text_as_connection,
        first_file_for_all,
        one_thread_for_all,
        starts_with_an_empty_file,
        own_thread_only,
        talk_returns_nothing,
        talk_returns_a_list,
        returns_the_saver,
        returns_nothing,
        talks_at_once,
    ),
    "stretch": named(
        PseudoRandom,
        FourDigits,
        ByTheClock,
        ByMachineAndClock,
        Counts,
        HashOfTheName,
        HashOfTheCount,
        NameAlone,
        SecretAlone,
        WrongOrder,
        NoDoor,
        AnyOpenRoom,
        ByBeginning,
        ByBeginningAlone,
        ByFirstWord,
        OnlyTheNewest,
        GetsNoneFromTheDict,
        KeyErrorForUnknown,
        SharedByAllObjects,
        ReturnsFalse,
        ReturnsTheRoom,
        ValueErrorInstead,
    ),
}
