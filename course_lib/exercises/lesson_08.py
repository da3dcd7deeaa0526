"""Lesson 08: what happens when a node starts again, one worker at a time on a thread, and a saver of one's own.

Most cases of the stretch are the library's own tests for savers, the package langgraph-checkpoint-conformance; what
they let pass although InMemorySaver and SqliteSaver do otherwise is tested here.
"""

import sys
import threading
from itertools import count

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.base import BaseCheckpointSaver, empty_checkpoint
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.types import INTERRUPT, RESUME
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command, interrupt

from course_lib.exercises import Case, Exercise

SECONDS = 2  # how long a right answer may take to reach a place
MOMENT = 0.2  # how long we look whether a second worker comes in although it must not


def _graph(node, saver):
    return StateGraph(MessagesState).add_node("reply", node).add_edge(START, "reply").compile(checkpointer=saver)


# --- core: one_at_a_time(graph) returns talk(thread_id, text)


class _Desk:
    """A graph whose node says which texts are inside, and stays there until it is told to finish."""

    def __init__(self, *texts):
        self.inside = {text: threading.Event() for text in texts}
        self.finish = {text: threading.Event() for text in texts}
        self.said, self.errors, self.workers = {}, [], []
        self.graph = _graph(self._reply, InMemorySaver())

    def _reply(self, state):
        text = state["messages"][-1].text
        self.inside[text].set()
        self.finish[text].wait(5 * SECONDS)
        if text == "error":
            raise RuntimeError("the node failed")
        return {"messages": [AIMessage(f"{text}, I see {len(state['messages'])}")]}

    def start(self, talk, thread_id, text, trace=None):
        def work():
            try:
                sys.settrace(trace)  # of this worker alone
                self.said[text] = talk(thread_id, text)
            except Exception as error:  # noqa: BLE001  kept for the thread of the check, which reports it
                self.errors.append(error)
            finally:
                sys.settrace(None)

        worker = threading.Thread(target=work, daemon=True)
        worker.start()
        self.workers.append(worker)
        return worker

    def join(self):
        """Wait for all workers, and raise what the answer raised in one of them."""
        for worker in self.workers:
            worker.join(SECONDS)
        self.raise_errors()

    def not_told(self, text, seen, en, hi, verb):
        """The complaint if a worker did not hear that it sees `seen` messages; en, hi and verb are parts of it."""
        got, wanted = self.said.get(text), f"{text}, I see {seen}"
        if got == wanted:
            return None
        return f"{en} {got!r}, not '{wanted}'.", f"{hi} {got!r} {verb}, '{wanted}' nahi."

    def arrives(self, text):
        """Whether the text reaches the node; an error in `talk` on the way is raised here."""
        arrived = self.inside[text].wait(SECONDS)
        self.raise_errors()
        return arrived

    def raise_errors(self):
        if self.errors:
            raise self.errors[0]


def _talk(one_at_a_time, desk):
    """The function that the answer made, or a complaint."""
    talk = one_at_a_time(desk.graph)
    if callable(talk):
        return talk, None
    return None, ("`one_at_a_time` should return a function.", "`one_at_a_time` ko ek function lautaana hai.")


def _never_arrives(text):
    return f"“{text}” never reached the node.", f"“{text}” node tak pahuncha hi nahi."


def alone(one_at_a_time):
    desk = _Desk("one", "two", "three")
    talk, complaint = _talk(one_at_a_time, desk)
    for text in desk.finish:
        desk.finish[text].set()
    for thread_id, text, seen in [] if complaint else [("lift", "one", 1), ("lift", "two", 3), ("pump", "three", 1)]:
        desk.start(talk, thread_id, text)
        desk.join()
        call = f"`talk({thread_id!r}, {text!r})`"
        if complaint := desk.not_told(text, seen, f"{call} gave", f"{call} ne", "diya"):
            break
    return complaint


TOGETHER = "two workers were inside on one thread at the same time.", "ek hi thread par do worker ek saath andar the."


def same_thread(one_at_a_time):
    """Each of three workers comes while the one before it is inside."""
    desk = _Desk("first", "second", "third")
    talk, complaint = _talk(one_at_a_time, desk)
    if complaint:
        return complaint
    desk.start(talk, "lift", "first")
    together = False
    for inside, comes in (("first", "second"), ("second", "third")):
        if not desk.arrives(inside):
            return _never_arrives(inside)
        desk.start(talk, "lift", comes)
        together = together or desk.inside[comes].wait(MOMENT)
        desk.finish[inside].set()
    desk.finish["third"].set()
    desk.join()
    if together:
        return TOGETHER
    for text, seen in (("second", 3), ("third", 5)):
        if complaint := desk.not_told(text, seen, f"the {text} worker got", f"“{text}” worker ko", "mila"):
            return complaint
    return None


def _held_before(number, file, held, go_on):
    """A trace function that holds its worker before the line of `file` with this number, counted as they run."""
    lines = count(1)

    def trace(frame, event, arg):
        if frame.f_code.co_filename != file:
            return None
        if event == "line" and next(lines) == number:
            held.set()
            go_on.wait(5 * SECONDS)
        return trace

    return trace


def first_meeting(one_at_a_time):
    """Two workers meet on a new thread: one is held before each of its lines in turn, and the other comes meanwhile."""
    for number in range(1, 20):
        desk = _Desk("held", "other")
        talk, complaint = _talk(one_at_a_time, desk)
        if complaint:
            return complaint
        code = getattr(talk, "__code__", None) or getattr(type(talk).__call__, "__code__", None)
        held, go_on = threading.Event(), threading.Event()
        trace = _held_before(number, code and code.co_filename, held, go_on)
        worker = desk.start(talk, "lift", "held", trace)
        while not held.wait(0.01) and worker.is_alive() and not desk.inside["held"].is_set():
            pass
        is_held, together = held.is_set(), False
        if is_held:
            desk.start(talk, "lift", "other")
            came = desk.inside["other"].wait(MOMENT)
            go_on.set()
            together = came and desk.inside["held"].wait(MOMENT)
        for event in (go_on, *desk.finish.values()):
            event.set()
        desk.join()
        if together or not is_held:  # not held: this line comes after the node, or never
            return TOGETHER if together else None
    return None


def other_thread(one_at_a_time):
    desk = _Desk("slow", "quick")
    talk, complaint = _talk(one_at_a_time, desk)
    if complaint:
        return complaint
    desk.finish["quick"].set()
    desk.start(talk, "lift", "slow")
    if not desk.arrives("slow"):
        return _never_arrives("slow")
    quick = desk.start(talk, "pump", "quick")
    quick.join(SECONDS)
    waited = quick.is_alive()
    desk.finish["slow"].set()
    desk.join()
    if waited:
        return (
            "a worker on the thread “pump” had to wait for one on “lift”.",
            "“pump” thread ke worker ko “lift” wale ka intezaar karna pada.",
        )
    return None


def after_an_error(one_at_a_time):
    desk = _Desk("error", "next")
    talk, complaint = _talk(one_at_a_time, desk)
    if complaint:
        return complaint
    for text in ("error", "next"):
        desk.finish[text].set()
    desk.start(talk, "lift", "error").join(SECONDS)
    if not any("the node failed" in str(error) for error in desk.errors):
        return "the error of the node did not come out of `talk`.", "node ka error `talk` se bahar nahi aaya."
    desk.errors.clear()
    desk.start(talk, "lift", "next").join(SECONDS)
    desk.raise_errors()
    if "next" not in desk.said:
        return "after an error in the node the thread stays locked.", "node mein error ke baad thread locked hi raha."
    return None


# --- stretch: class Saver(Shelf) with get_tuple, put_writes, delete_thread


def _asynchronous(saver):
    """The library's tests call the async methods of a saver; these hand each call to the methods without await."""

    class Adapter(BaseCheckpointSaver):
        async def aput(self, *args, **options):
            return saver.put(*args, **options)

        async def aput_writes(self, *args, **options):
            return saver.put_writes(*args, **options)

        async def aget_tuple(self, *args, **options):
            return saver.get_tuple(*args, **options)

        async def alist(self, *args, **options):
            for item in saver.list(*args, **options):
                yield item

        async def adelete_thread(self, *args, **options):
            return saver.delete_thread(*args, **options)

    return Adapter()


def conforms(capability):
    """A judge that runs the library's tests of one capability and complains about the first that fails."""

    def judge(saver):
        @checkpointer_test(name="answer")
        async def fresh():
            yield _asynchronous(type(saver)())

        failures = _run(validate(fresh, capabilities={capability})).results[capability].failures
        if failures:
            test, _, why = failures[0].partition(":")
            last = [line.strip() for line in why.strip().splitlines() if line.strip()][-1:] or [""]
            return (
                f"the library's test `{test}` fails ({len(failures)} in all). {last[0][:150]}",
                f"library ka test `{test}` fail hua (kul {len(failures)}). {last[0][:150]}",
            )
        return None

    return judge


def _run(coroutine):
    """The result of a coroutine that never waits for anything: a notebook has its loop running already."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    coroutine.close()
    raise RuntimeError("a method of the saver awaits something")


METADATA = {"source": "loop", "step": 0, "parents": {}}


def keeps_apart(saver):
    """Neither a page of another namespace nor an older one that comes late is the newest of this namespace."""
    config = {"configurable": {"thread_id": "lift", "checkpoint_ns": ""}}
    inner = {"configurable": {"thread_id": "lift", "checkpoint_ns": "inner"}}
    older, newer = empty_checkpoint(), empty_checkpoint()
    page = saver.put(config, newer, METADATA, {})
    saver.put(inner, empty_checkpoint(), METADATA, {})
    newest = saver.get_tuple(config)
    if newest is None or newest.config["configurable"] != page["configurable"]:
        return "`get_tuple` mixes up two namespaces.", "`get_tuple` do namespaces ko mila deta hai."
    saver.put(config, older, METADATA, {})
    if saver.get_tuple(config).config["configurable"] != page["configurable"]:
        return (
            "an older page was put last: `get_tuple` should still give the one with the largest id.",
            "purana panna sabse baad mein aaya: `get_tuple` ko phir bhi sabse badi id wala dena hai.",
        )
    return None


def keeps_writes(saver):
    """What is there stays; a channel with a position of its own pushes nothing aside, and its newest value wins."""
    config = {"configurable": {"thread_id": "lift", "checkpoint_ns": ""}}
    page = saver.put(config, empty_checkpoint(), METADATA, {})
    given = [
        [("amount", "first")],
        [("amount", "second"), ("amount", "third")],
        [(INTERRUPT, "Pay?")],
        [(RESUME, "no")],
        [(RESUME, "yes")],
    ]
    for writes in given:
        saver.put_writes(page, writes, "task")
    kept = sorted(tuple(write[1:]) for write in saver.get_tuple(page).pending_writes)
    if kept != [(INTERRUPT, "Pay?"), (RESUME, "yes"), ("amount", "first"), ("amount", "third")]:
        return (
            f"a task called `put_writes` five times, with {given}; kept is {kept}.",
            f"task ne `put_writes` paanch baar bulaaya, {given} ke saath; rakha hai {kept}.",
        )
    return None


def forgets(saver):
    """The writes of a deleted page are gone too: the same page, put again, has none."""
    config, page = {"configurable": {"thread_id": "lift", "checkpoint_ns": ""}}, empty_checkpoint()
    written = saver.put(config, page, METADATA, {})
    saver.put_writes(written, [("amount", "first")], "task")
    saver.delete_thread("lift")
    if saver.get_tuple(saver.put(config, page, METADATA, {})).pending_writes:
        return (
            "after `delete_thread` the writes of a page are still there.",
            "`delete_thread` ke baad bhi panne ke writes bache hain.",
        )
    return None


def resumes_in_a_graph(saver):
    def ask(state):
        return {"messages": [AIMessage(f"answer {interrupt('Pay?')}")]}

    graph = _graph(ask, saver)
    configs = [{"configurable": {"thread_id": name}} for name in ("lift", "pump")]
    for config in configs:
        graph.invoke({"messages": [HumanMessage("go")]}, config)
    for config, answer in zip(configs, ("yes", "no")):
        if graph.get_state(config).next != ("reply",) or not graph.get_state(config).interrupts:
            return "after an interrupt the question is not kept.", "interrupt ke baad sawaal saver mein nahi hai."
        texts = [message.text for message in graph.invoke(Command(resume=answer), config)["messages"]]
        if texts != ["go", f"answer {answer}"]:
            return f"after the resume the messages are {texts}.", f"resume ke baad messages hain {texts}."
    saver.delete_thread("lift")
    if graph.get_state(configs[0]).values or not graph.get_state(configs[1]).values:
        return "`delete_thread` deletes too little or too much.", "`delete_thread` kam ya zyada delete karta hai."
    return None


EXERCISES = {
    "warm_up": Exercise(
        cases=[
            Case(args=(["sms", "ask", "pay"],), expected=["sms", "sms", "pay"], keeps_input=True),
            Case(args=(["ask", "pay"],), expected=["pay"]),
            Case(args=(["sms", "pay"],), expected=["sms", "pay"]),
            Case(
                args=(["sms", "ask", "pay", "ask", "file"],),
                expected=["sms", "sms", "pay", "sms", "pay", "file"],
                keeps_input=True,
            ),
            Case(args=(["sms", "ask", "ask"],), expected=["sms", "sms", "sms"]),
            Case(args=(["a", "b", "ask", "a"],), expected=["a", "b", "a", "b", "a"]),
            Case(args=(["task", "ask", "ask Ravi"],), expected=["task", "task", "ask Ravi"]),
            Case(args=(["ask"],), expected=[]),
            Case(args=([],), expected=[]),
        ],
        hint=(
            "Two questions make three runs. Each run starts at the first line and ends at the next open question.",
            "Do sawaal matlab teen run. Har run pehli line se shuru hota hai aur agle khule sawaal par rukta hai.",
        ),
    ),
    "core": Exercise(
        plain=True,  # the judges make the graph, and start the workers
        seconds=15,
        cases=[
            Case(judge=alone, shown="three turns, one after another"),
            Case(judge=same_thread, shown="three workers on the thread “lift”"),
            Case(judge=first_meeting, shown="two workers at the same moment on a new thread"),
            Case(judge=other_thread, shown="a slow worker on “lift”, a quick one on “pump”"),
            Case(judge=after_an_error, shown="a node that raises, then another turn"),
        ],
        hint=(
            "One `Lock` for each thread id, which stays in a dict; `with lock:` gives it back even after an error. "
            "Between “is there a lock?” and “make one” another worker may come: `setdefault` is one step.",
            "Har thread id ka apna `Lock`, jo ek dict mein rehta hai; `with lock:` error ke baad bhi use chhod deta "
            "hai. Lock dhoondhne aur naya banaane ke beech doosra worker aa sakta hai: `setdefault` ek hi step hai.",
        ),
    ),
    "stretch": Exercise(
        seconds=10,
        cases=[
            Case(judge=conforms("put"), shown="the library's tests of put"),
            Case(judge=conforms("put_writes"), shown="the library's tests of put_writes"),
            Case(judge=conforms("get_tuple"), shown="the library's tests of get_tuple"),
            Case(judge=conforms("list"), shown="the library's tests of list"),
            Case(judge=conforms("delete_thread"), shown="the library's tests of delete_thread"),
            Case(judge=keeps_apart, shown="two namespaces, and an older page that comes late"),
            Case(judge=keeps_writes, shown="the writes of one task"),
            Case(judge=forgets, shown="a page that is deleted and put again"),
            Case(judge=resumes_in_a_graph, shown="a graph with an interrupt on two threads"),
        ],
        hint=(
            "`get_tuple` without a checkpoint id gives the largest one, or None. A write that is there already stays, "
            "unless its channel is in `WRITES_IDX_MAP`. Deleting empties both dicts.",
            "Bina checkpoint id ke `get_tuple` sabse badi id wala deta hai, ya None. Jo write pehle se hai woh rehta "
            "hai, jab tak uska channel `WRITES_IDX_MAP` mein na ho. Delete dono dict se hota hai.",
        ),
    ),
}
