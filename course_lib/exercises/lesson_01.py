"""Lesson 01: how many messages a node sees, a cabinet by hand, and a graph with a door that checks."""

import copy

from langchain_core.messages import AIMessage

from course_lib.checks import show
from course_lib.exercises import Case, Exercise

# --- core: a class Office(clerk) with talk(thread_id, text)

SEEN = []  # what the clerk was given, call by call; a module variable, since the judge gets no hold of the argument


def clerk(messages):
    SEEN.append(copy.deepcopy(messages))
    return f"reply {len(SEEN)}"


def office_keeps(*calls):
    """A judge that makes the calls (thread id, text) and compares what the clerk saw with what lies in that thread."""

    def judge(office, clerk):
        SEEN.clear()
        return _talk(office, calls)

    return judge


def _talk(office, calls):
    folders = {}
    for thread_id, text in calls:
        expected = folders.setdefault(thread_id, [])
        expected.append({"role": "user", "content": text})
        before = len(SEEN)
        reply = office.talk(thread_id, text)
        call = f"`talk({thread_id!r}, {text!r})`"
        if len(SEEN) != before + 1:
            times = len(SEEN) - before
            return (
                f"{call} asked the clerk {times} times, not once.",
                f"{call} ne clerk se {times} baar poocha, ek baar nahi.",
            )
        if not isinstance(SEEN[-1], (list, tuple)) or list(SEEN[-1]) != expected:
            seen, wanted = _lines(SEEN[-1]), _lines(expected)
            return (
                f"at {call} the clerk saw {seen}, and should see {wanted}.",
                f"{call} par clerk ne {seen} dekha, dekhna tha {wanted}.",
            )
        if reply != f"reply {len(SEEN)}":
            return f"{call} should return the clerk's reply.", f"{call} ko clerk ka jawaab lautaana hai."
        expected.append({"role": "assistant", "content": reply})
    return None


def _lines(messages):
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        return f"`{show(messages)}`"
    return f"`{[': '.join(map(str, message.values())) for message in messages]}`"


def second_office_is_empty(office, clerk):
    SEEN.clear()
    office.talk("chat", "My name is Asha.")
    complaint = _talk(type(office)(clerk), [("chat", "What is my name?")])
    return complaint and (f"in a second office, {complaint[0]}", f"doosre office mein, {complaint[1]}")


# --- stretch: safe_chat(node) returns talk(thread_id, text)

RUNS = []  # one entry for each run of the node


def counting_node(state):
    RUNS.append(len(state["messages"]))
    return {"messages": [AIMessage(f"I see {len(state['messages'])}")]}


def counts(*calls):
    """A judge for calls (thread id, number of messages that the node should see)."""

    def judge(talk, node):
        for thread_id, number in calls:
            reply = talk(thread_id, "Hello.")
            call = f"`talk({thread_id!r}, …)`"
            if not isinstance(reply, str):
                kind = type(reply).__name__
                return (
                    f"{call} gave the type {kind}; it should be the text.",
                    f"{call} ne {kind} diya; text chahiye tha.",
                )
            if reply != f"I see {number}":
                return (
                    f"at {call} the node said “{reply}”, not “I see {number}”.",
                    f"{call} par node bola “{reply}”, “I see {number}” nahi.",
                )
        return None

    return judge


def refuses(thread_id):
    """A judge: ValueError for this thread id, and the node has not run."""

    def judge(talk, node):
        RUNS.clear()
        call = f"`talk({thread_id!r}, …)`"
        try:
            talk(thread_id, "Hello.")
        except ValueError:
            if RUNS:
                return (
                    f"{call} raised ValueError, but only after the node had run.",
                    f"{call} ne ValueError diya, par node chalne ke baad.",
                )
            return None
        return f"{call} was let in.", f"{call} andar aa gaya."

    return judge


def _stretch(judge, shown):
    return Case(args=(counting_node,), judge=judge, shown=shown)


EXERCISES = {
    "warm_up": Exercise(
        cases=[
            Case(args=(1, True), expected=1),
            Case(args=(2, True), expected=3),
            Case(args=(3, True), expected=5),
            Case(args=(50, True), expected=99),
            Case(args=(1, False), expected=1),
            Case(args=(8, False), expected=1),
        ],
        hint=(
            "Turn 2 with a saver: first question, first reply, new question. What does each further turn add?",
            "Saver ke saath turn 2: pehla sawaal, pehla jawaab, naya sawaal. Har agla turn kitne jodta hai?",
        ),
    ),
    "core": Exercise(
        cases=[
            Case(args=(clerk,), judge=office_keeps(("one", "Hello.")), shown='talk("one", "Hello.")'),
            Case(
                args=(clerk,),
                judge=office_keeps(*[("long", f"Message {number}.") for number in range(1, 6)]),
                shown="five messages on one thread",
            ),
            Case(
                args=(clerk,),
                judge=office_keeps(("asha", "One."), ("ravi", "Two."), ("asha", "Three."), ("ravi", "Four.")),
                shown="two threads in turn",
            ),
            Case(args=(clerk,), judge=second_office_is_empty, shown="two offices, the same thread id"),
        ],
        hint=(
            "Three steps: the user's message into that thread's list, the list to the clerk, the reply into the list.",
            "Teen kadam: user ka message us thread ki list mein daalo, list clerk ko do, jawaab bhi list mein daalo.",
        ),
    ),
    "stretch": Exercise(
        cases=[
            _stretch(counts(("chat", 1), ("chat", 3), ("chat", 5)), "three turns on one thread"),
            _stretch(counts(("asha", 1), ("ravi", 1), ("asha", 3)), "two threads in turn"),
            _stretch(counts(("chat", 1)), 'a second safe_chat(node), and once more the thread id "chat"'),
            *[_stretch(refuses(bad), f"thread id {bad!r}") for bad in (None, "", "   ", 7)],
        ],
        hint=(
            "Compile once, outside talk. In talk, look at the id first: a string, and not only spaces.",
            "Compile ek baar, talk ke bahar. Talk mein sabse pehle id dekho: string ho, aur sirf spaces na ho.",
        ),
    ),
}
