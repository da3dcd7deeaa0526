"""Answers to the exercises of lesson 08 that must not pass."""

import time
from threading import Lock

from langchain_core.messages import HumanMessage
from langgraph.checkpoint.base import WRITES_IDX_MAP, BaseCheckpointSaver, CheckpointTuple

# --- warm_up


def goes_on_after_the_question(steps):
    return [step for step in steps if step != "ask"]


def only_one_question(steps):
    if "ask" not in steps:
        return list(steps)
    return [step for step in steps[: steps.index("ask")] + steps if step != "ask"]


def only_the_last_question(steps):
    if "ask" not in steps:
        return list(steps)
    last = len(steps) - steps[::-1].index("ask")
    return [step for step in steps[:last] + steps if step != "ask"]


def questions_are_effects(steps):
    stops = [position for position, step in enumerate(steps) if step == "ask"]
    return [step for stop in [*stops, len(steps)] for step in steps[:stop]]


def without_the_last_run(steps):
    stops = [position for position, step in enumerate(steps) if step == "ask"] or [len(steps)]
    return [step for stop in stops for step in steps[:stop] if step != "ask"]


def from_question_to_question(steps):
    done, part = [], []
    for step in steps:
        if step == "ask":
            done += part * 2
            part = []
        else:
            part.append(step)
    return done + part


def every_step_with_ask_in_it(steps):
    done, part = [], []
    for step in steps:
        if "ask" in step:
            done += part
        else:
            part.append(step)
    return done + part


def splits_the_text(steps):
    parts = " ".join(steps).split("ask")
    return [step for stop in range(1, len(parts) + 1) for part in parts[:stop] for step in part.split()]


def each_effect_once_in_a_run(steps):
    stops = [position for position, step in enumerate(steps) if step == "ask"]
    return [step for stop in [*stops, len(steps)] for step in dict.fromkeys(steps[:stop]) if step != "ask"]


def doubles_at_each_question(steps):
    done = []
    for step in steps:
        done = done * 2 if step == "ask" else [*done, step]
    return done


def number_of_effects(steps):
    return len(only_one_question(steps))


def eats_the_steps(steps):
    done = only_one_question(steps)
    steps.clear()
    return done


# --- core


def send(graph, thread_id, text):
    config = {"configurable": {"thread_id": thread_id}}
    return graph.invoke({"messages": [HumanMessage(text)]}, config)["messages"][-1].text


def no_lock(graph):
    return lambda thread_id, text: send(graph, thread_id, text)


def one_lock_for_all(graph):
    lock = Lock()

    def talk(thread_id, text):
        with lock:
            return send(graph, thread_id, text)

    return talk


def a_new_lock_each_time(graph):
    def talk(thread_id, text):
        with Lock():
            return send(graph, thread_id, text)

    return talk


def lock_not_given_back(graph):
    locks = {}

    def talk(thread_id, text):
        lock = locks.setdefault(thread_id, Lock())
        lock.acquire()
        reply = send(graph, thread_id, text)
        lock.release()
        return reply

    return talk


def looks_then_makes_a_lock(graph):
    locks = {}

    def talk(thread_id, text):
        if thread_id not in locks:
            locks[thread_id] = Lock()
        with locks[thread_id]:
            return send(graph, thread_id, text)

    return talk


def lock_thrown_away(graph):
    locks = {}

    def talk(thread_id, text):
        with locks.setdefault(thread_id, Lock()):
            try:
                return send(graph, thread_id, text)
            finally:
                locks.pop(thread_id, None)

    return talk


def looks_until_nobody_is_busy(graph):
    busy = set()

    def talk(thread_id, text):
        while thread_id in busy:
            time.sleep(0.01)
        busy.add(thread_id)
        try:
            return send(graph, thread_id, text)
        finally:
            busy.discard(thread_id)

    return talk


def loses_patience(graph):
    locks = {}

    def talk(thread_id, text):
        lock = locks.setdefault(thread_id, Lock())
        mine = lock.acquire(timeout=0.05)
        try:
            return send(graph, thread_id, text)
        finally:
            if mine:
                lock.release()

    return talk


def reads_the_lock_only(graph):
    locks = {}

    def talk(thread_id, text):
        with locks.setdefault(thread_id, Lock()):
            config = {"configurable": {"thread_id": thread_id}}
        return graph.invoke({"messages": [HumanMessage(text)]}, config)["messages"][-1].text

    return talk


def swallows_errors(graph):
    locks = {}

    def talk(thread_id, text):
        with locks.setdefault(thread_id, Lock()):
            try:
                return send(graph, thread_id, text)
            except Exception:
                return "sorry"

    return talk


def refuses_the_second(graph):
    locks = {}

    def talk(thread_id, text):
        lock = locks.setdefault(thread_id, Lock())
        if not lock.acquire(blocking=False):
            return "busy"
        try:
            return send(graph, thread_id, text)
        finally:
            lock.release()

    return talk


def lock_by_text(graph):
    locks = {}

    def talk(thread_id, text):
        with locks.setdefault(text, Lock()):
            return send(graph, thread_id, text)

    return talk


def returns_messages(graph):
    locks = {}

    def talk(thread_id, text):
        with locks.setdefault(thread_id, Lock()):
            return graph.invoke({"messages": [HumanMessage(text)]}, {"configurable": {"thread_id": thread_id}})

    return talk


def returns_the_graph(graph):
    return graph


# --- stretch


class Right(BaseCheckpointSaver):
    """Right, so that each wrong one below differs from it in one place."""

    def __init__(self):
        super().__init__()
        self.pages, self.writes = {}, {}

    @staticmethod
    def key(config):
        wanted = config["configurable"]
        return wanted["thread_id"], wanted.get("checkpoint_ns", ""), wanted.get("checkpoint_id")

    @staticmethod
    def config(key):
        return {"configurable": dict(zip(("thread_id", "checkpoint_ns", "checkpoint_id"), key))}

    def put(self, config, checkpoint, metadata, new_versions):
        key = (*self.key(config)[:2], checkpoint["id"])
        self.pages[key] = self.serde.dumps_typed((checkpoint, metadata)), self.key(config)[2]
        return self.config(key)

    def page(self, key):
        data, parent = self.pages[key]
        writes = [(*start, self.serde.loads_typed(value)) for *start, value in self.writes.get(key, {}).values()]
        checkpoint, metadata = self.serde.loads_typed(data)
        parent_config = parent and self.config((*key[:2], parent))
        return CheckpointTuple(self.config(key), checkpoint, metadata, parent_config, writes)

    def list(self, config, *, filter=None, before=None, limit=None):
        wanted = (config or {}).get("configurable", {})
        for key in sorted(self.pages, key=lambda key: key[2], reverse=True):
            fits = all(wanted.get(part, value) == value for part, value in self.config(key)["configurable"].items())
            if not fits or (before and key[2] >= self.key(before)[2]):
                continue
            page = self.page(key)
            if not (filter or {}).items() <= page.metadata.items():
                continue
            if limit == 0:
                return
            limit = limit and limit - 1
            yield page

    def get_tuple(self, config):
        thread_id, space, number = self.key(config)
        keys = [key for key in self.pages if key[:2] == (thread_id, space) and number in (None, key[2])]
        return self.page(max(keys)) if keys else None

    def put_writes(self, config, writes, task_id, task_path=""):
        kept = self.writes.setdefault(self.key(config), {})
        for position, (channel, value) in enumerate(writes):
            place = task_id, WRITES_IDX_MAP.get(channel, position)
            if place not in kept or channel in WRITES_IDX_MAP:
                kept[place] = task_id, channel, self.serde.dumps_typed(value)

    def delete_thread(self, thread_id):
        for part in (self.pages, self.writes):
            for key in [key for key in part if key[0] == thread_id]:
                del part[key]


class OldestPage(Right):
    def get_tuple(self, config):
        thread_id, space, number = self.key(config)
        keys = [key for key in self.pages if key[:2] == (thread_id, space) and number in (None, key[2])]
        return self.page(min(keys)) if keys else None


class AlwaysNewest(Right):
    def get_tuple(self, config):
        keys = [key for key in self.pages if key[:2] == self.key(config)[:2]]
        return self.page(max(keys)) if keys else None


class AnyNamespace(Right):
    def get_tuple(self, config):
        thread_id, _, number = self.key(config)
        keys = [key for key in self.pages if key[0] == thread_id and number in (None, key[2])]
        return self.page(max(keys, key=lambda key: key[2])) if keys else None


class LastPut(Right):
    def get_tuple(self, config):
        thread_id, space, number = self.key(config)
        keys = [key for key in self.pages if key[:2] == (thread_id, space) and number in (None, key[2])]
        return self.page(keys[-1]) if keys else None


class RaisesForUnknown(Right):
    def get_tuple(self, config):
        thread_id, space, number = self.key(config)
        return self.page(max(key for key in self.pages if key[:2] == (thread_id, space) and number in (None, key[2])))


class NoWrites(Right):
    def put_writes(self, config, writes, task_id, task_path=""):
        self.writes.setdefault(self.key(config), {})


class LastWriteWins(Right):
    def put_writes(self, config, writes, task_id, task_path=""):
        kept = self.writes.setdefault(self.key(config), {})
        for position, (channel, value) in enumerate(writes):
            kept[task_id, WRITES_IDX_MAP.get(channel, position)] = task_id, channel, self.serde.dumps_typed(value)


class FirstWriteWins(Right):
    def put_writes(self, config, writes, task_id, task_path=""):
        kept = self.writes.setdefault(self.key(config), {})
        for position, (channel, value) in enumerate(writes):
            place = task_id, WRITES_IDX_MAP.get(channel, position)
            kept.setdefault(place, (task_id, channel, self.serde.dumps_typed(value)))


class PositionInTheListOnly(Right):
    def put_writes(self, config, writes, task_id, task_path=""):
        kept = self.writes.setdefault(self.key(config), {})
        for position, (channel, value) in enumerate(writes):
            if (task_id, position) not in kept or channel in WRITES_IDX_MAP:
                kept[task_id, position] = task_id, channel, self.serde.dumps_typed(value)


class ByChannel(Right):
    def put_writes(self, config, writes, task_id, task_path=""):
        kept = self.writes.setdefault(self.key(config), {})
        for channel, value in writes:
            if (task_id, channel) not in kept or channel in WRITES_IDX_MAP:
                kept[task_id, channel] = task_id, channel, self.serde.dumps_typed(value)


class WritesPileUp(Right):
    def put_writes(self, config, writes, task_id, task_path=""):
        kept = self.writes.setdefault(self.key(config), {})
        for channel, value in writes:
            kept[len(kept)] = task_id, channel, self.serde.dumps_typed(value)


class OneTaskForAll(Right):
    def put_writes(self, config, writes, task_id, task_path=""):
        kept = self.writes.setdefault(self.key(config), {})
        for position, (channel, value) in enumerate(writes):
            kept.setdefault(position, (task_id, channel, self.serde.dumps_typed(value)))


class DeletesEverything(Right):
    def delete_thread(self, thread_id):
        self.pages.clear()
        self.writes.clear()


class DeletesNothing(Right):
    def delete_thread(self, thread_id):
        self.pages.pop(thread_id, None)


class DeletesPagesOnly(Right):
    def delete_thread(self, thread_id):
        self.pages = {key: page for key, page in self.pages.items() if key[0] != thread_id}


class DeletesMainNamespaceOnly(Right):
    def delete_thread(self, thread_id):
        for part in (self.pages, self.writes):
            for key in [key for key in part if key[:2] == (thread_id, "")]:
                del part[key]


class KeepsTheObjects(Right):
    def put(self, config, checkpoint, metadata, new_versions):
        key = (*self.key(config)[:2], checkpoint["id"])
        self.pages[key] = (checkpoint, metadata), None  # no parent
        return self.config(key)

    def page(self, key):
        (checkpoint, metadata), _ = self.pages[key]
        return CheckpointTuple(self.config(key), checkpoint, metadata, None, [])


def named(*answers):
    return {answer.__name__: answer for answer in answers}


WRONG = {
    "warm_up": named(
        goes_on_after_the_question,
        only_one_question,
        only_the_last_question,
        questions_are_effects,
        without_the_last_run,
        from_question_to_question,
        every_step_with_ask_in_it,
        splits_the_text,
        each_effect_once_in_a_run,
        doubles_at_each_question,
        number_of_effects,
        eats_the_steps,
    ),
    "core": named(
        no_lock,
        one_lock_for_all,
        a_new_lock_each_time,
        lock_not_given_back,
        looks_then_makes_a_lock,
        lock_thrown_away,
        looks_until_nobody_is_busy,
        loses_patience,
        reads_the_lock_only,
        swallows_errors,
        refuses_the_second,
        lock_by_text,
        returns_messages,
        returns_the_graph,
    ),
    "stretch": named(
        OldestPage,
        AlwaysNewest,
        AnyNamespace,
        LastPut,
        RaisesForUnknown,
        NoWrites,
        LastWriteWins,
        FirstWriteWins,
        PositionInTheListOnly,
        ByChannel,
        WritesPileUp,
        OneTaskForAll,
        DeletesEverything,
        DeletesNothing,
        DeletesPagesOnly,
        DeletesMainNamespaceOnly,
        KeepsTheObjects,
    ),
}
