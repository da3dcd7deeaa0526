"""Lesson 03: a request that fits, one that is never empty, and a broken list mended."""

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from course_lib import tokens
from course_lib.exercises import Case, Exercise

SYSTEM = SystemMessage("You help the customers of a kettle shop.")


def human(text):
    return HumanMessage(text)


def ai(text):
    return AIMessage(text)


def calls(*ids):
    return AIMessage("", tool_calls=[{"name": "find_order", "args": {"id": i}, "id": i} for i in ids])


def result(call_id, text="in Pune"):
    return ToolMessage(text, tool_call_id=call_id)


CHAT = [  # a message of two lines, which could be cut in the middle, and a question that is asked twice
    SYSTEM,
    human("My name is Meera.\nI live in Pune."),
    ai("Hello Meera."),
    human("Where is my order?"),
    calls("c1"),
    result("c1"),
    ai("It is in Pune."),
    human("And when does it arrive?"),
    ai("Tomorrow."),
    human("Where is my order?"),
]
HEAVY = [*CHAT, calls("c2"), result("c2", "a long table of parcels " * 40)]

# --- warm_up and core: the newest whole turns that fit


def turns(messages):
    """The messages cut into turns, each beginning with a human message."""
    starts = [i for i, message in enumerate(messages) if message.type == "human"]
    return [messages[start:end] for start, end in zip(starts, [*starts[1:], None])]


def packed(messages, budget):
    """The system prompt, if any, and the newest turns that fit beside it; a turn in the middle of its tools counts."""
    head = [message for message in messages[:1] if message.type == "system"]
    kept = []
    for turn in reversed(turns(messages)):
        if tokens.count(head + turn + kept) > budget:
            break
        kept = turn + kept
    return head + kept


def packed_or_last(messages, budget):
    kept = packed(messages, budget)
    return kept if any(message.type == "human" for message in kept) else kept[:1] + turns(messages)[-1]


def budgets(messages):
    """Budgets that lie on both sides of each whole turn."""
    head = [message for message in messages[:1] if message.type == "system"]
    sizes = [tokens.count(head + messages[i:]) for i, message in enumerate(messages) if message.type == "human"]
    return sorted({size + step for size in sizes for step in (-1, 0, 1)})


def fitting(messages, expected):
    return [
        Case(args=(messages, budget), expected=expected(messages, budget), keeps_input=True, shown=f"budget {budget}")
        for budget in budgets(messages)
    ]


# --- stretch: mend(messages)

BROKEN = {
    "a list that is whole": (CHAT, CHAT),
    "a result without its call": (CHAT[5:], CHAT[6:]),
    "a call without its result": (CHAT[:5], CHAT[:4]),
    "two calls, one result": (
        [human("Both?"), calls("a", "b"), result("a"), ai("One of them.")],
        [human("Both?"), ai("One of them.")],
    ),
    "two calls, only the second with a result": (
        [human("Both?"), calls("a", "b"), result("b"), ai("One of them.")],
        [human("Both?"), ai("One of them.")],
    ),
    "a result of another call": (
        [human("Where?"), calls("a"), result("b"), ai("Here.")],
        [human("Where?"), ai("Here.")],
    ),
    "two calls, two results": (
        [human("Both?"), calls("a", "b"), result("a"), result("b"), ai("Yes.")],
        [human("Both?"), calls("a", "b"), result("a"), result("b"), ai("Yes.")],
    ),
    "an orphan and a whole pair": (
        [result("x"), human("Where?"), calls("y"), result("y"), ai("Here.")],
        [human("Where?"), calls("y"), result("y"), ai("Here.")],
    ),
    "an orphan, and later a call with the same id": (
        [result("x"), human("Where?"), calls("x"), result("x"), ai("Here.")],
        [human("Where?"), calls("x"), result("x"), ai("Here.")],
    ),
    "a whole pair, and later an open call with the same id": (
        [human("Where?"), calls("x"), result("x"), ai("Here."), human("And now?"), calls("x")],
        [human("Where?"), calls("x"), result("x"), ai("Here."), human("And now?")],
    ),
    "only an orphan": ([result("x")], []),
}

EXERCISES = {
    "warm_up": Exercise(
        cases=[*fitting(CHAT, packed), *fitting(CHAT[1:], packed), *fitting(CHAT[:6], packed)],
        hint=(
            '`include_system=True` keeps the system prompt, `start_on="human"` cuts at a human message.',
            '`include_system=True` system prompt rakhta hai, `start_on="human"` human message par kaatta hai.',
        ),
    ),
    "core": Exercise(
        cases=[
            *fitting(CHAT, packed_or_last),
            *fitting(CHAT[1:], packed_or_last),
            Case(
                args=(HEAVY, 60), expected=[SYSTEM, *HEAVY[9:]], keeps_input=True, shown="a heavy tool turn, budget 60"
            ),
            Case(args=(HEAVY[1:], 60), expected=HEAVY[9:], keeps_input=True, shown="the same, no system prompt"),
        ],
        hint=(
            "Trim first. If no human message is left, search the newest one from the end, and take all from there.",
            "Pehle trim karo. Human message na bache, toh peeche se sabse naya human dhoondho, wahan se sab lo.",
        ),
    ),
    "stretch": Exercise(
        cases=[
            Case(args=(broken,), expected=mended, keeps_input=True, shown=name)
            for name, (broken, mended) in BROKEN.items()
        ],
        hint=(
            "A call stays if each of its ids has a result after it; a result stays if its call, before it, has stayed.",
            "Call tabhi rahe jab uski har id ka result baad mein ho; result tabhi, jab usse pehle wali call rahi ho.",
        ),
    ),
}
