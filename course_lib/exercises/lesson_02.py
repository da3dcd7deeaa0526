"""Lesson 02: a pinned window that counts from the front, first and last turns, and a buffer inside a graph."""

import copy

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from course_lib.checks import comparable, show
from course_lib.exercises import Case, Exercise

RULE = SystemMessage("Answer in one line.")


def human(text):
    return HumanMessage(text)


def ai(text):
    return AIMessage(text)


# --- warm_up: pinned(messages, slots)

CHAT = [human("one"), ai("two"), human("three"), ai("four"), human("five")]
RULE_IN_THE_MIDDLE = [human("one"), RULE, human("three"), ai("four")]


def _door(messages, slots, expected):
    return Case(args=(messages, slots), expected=expected, keeps_input=True)


# --- core: first_and_last(history, k)


def turn(name, tool=False):
    """A turn of two messages, or of four with a tool call and its result."""
    if not tool:
        return [human(name), ai(f"reply to {name}")]
    call = {"name": "look_up", "args": {"what": name}, "id": f"call {name}"}
    result = ToolMessage(f"found {name}", tool_call_id=call["id"])
    return [human(name), AIMessage("", tool_calls=[call]), result, ai(f"reply to {name}")]


A, B, C, D = turn("a"), turn("b", tool=True), turn("c"), turn("d", tool=True)
OPEN = [human("newest")]  # a turn that waits for its reply


def _turns(history, k, expected):
    return Case(args=(history, k), expected=expected, keeps_input=True)


# --- stretch: bounded(rule, prompt, model) returns a compiled graph

SEEN = []  # what the model was given, call by call; a module variable, since the judge gets no hold of the argument


class RecordingModel:
    """A stand-in for a chat model: keeps what it is given and numbers its replies."""

    def invoke(self, messages):
        SEEN.append(copy.deepcopy(messages))
        return AIMessage(f"reply {len(SEEN)}")


def newest_three(history):
    return history[-3:]


def whole(history):
    return list(history)


def _arguments(prompt):
    return lambda: (RULE, prompt, RecordingModel())


def _say(graph, thread_id, text):
    config = {"configurable": {"thread_id": thread_id}}
    graph.invoke({"messages": [HumanMessage(text)]}, config)
    return graph.get_state(config).values["messages"]


def chat(*calls):
    """A judge that makes the calls (thread id, text); compares what the model saw, then what the state holds."""

    def judge(graph, rule, prompt, model):
        SEEN.clear()
        threads = {}
        for number, (thread_id, text) in enumerate(calls, 1):
            thread = threads.setdefault(thread_id, [])
            thread.append(HumanMessage(text))
            state = _say(graph, thread_id, text)
            call = f"`{text}`"
            if len(SEEN) != number:
                times = len(SEEN) - number + 1
                return (
                    f"at {call} the model was invoked {times} times, not once.",
                    f"{call} par model {times} baar invoke hua, ek baar nahi.",
                )
            wanted = [rule, *prompt(thread)]
            if comparable(SEEN[-1]) != comparable(wanted):
                return (
                    f"at {call} the model saw `{show(SEEN[-1])}`, and should see `{show(wanted)}`.",
                    f"{call} par model ne `{show(SEEN[-1])}` dekha, dekhna tha `{show(wanted)}`.",
                )
            thread.append(AIMessage(f"reply {number}"))
            if comparable(state) != comparable(thread):
                return (
                    f"after {call} the state holds `{show(state)}`, and should hold `{show(thread)}`.",
                    f"{call} ke baad state mein `{show(state)}` hai, hona tha `{show(thread)}`.",
                )
        return None

    return judge


EXERCISES = {
    "warm_up": Exercise(
        cases=[
            _door([RULE, *CHAT], 4, [RULE, *CHAT[-3:]]),
            _door([RULE, *CHAT], 2, [RULE, CHAT[-1]]),
            _door([RULE, *CHAT], 6, [RULE, *CHAT]),
            _door([RULE, *CHAT], 9, [RULE, *CHAT]),
            _door([RULE, *CHAT], 1, [RULE]),
            _door([RULE, *CHAT], 0, []),
            _door(CHAT, 4, CHAT[-4:]),
            _door(CHAT, 1, CHAT[-1:]),
            _door(CHAT, 0, []),
            _door(RULE_IN_THE_MIDDLE, 2, RULE_IN_THE_MIDDLE[-2:]),
            _door([RULE], 3, [RULE]),
            _door([], 3, []),
        ],
        hint=(
            "Take the rule off first. Then count how much room is left, and slice the rest from the front.",
            "Pehle rule alag karo. Phir gino ki kitni jagah bachi, aur baaki list ko aage se gin kar kaato.",
        ),
    ),
    "core": Exercise(
        cases=[
            _turns([*A, *B, *C, *D], 1, [*A, *D]),
            _turns([*A, *B, *C, *D], 2, [*A, *C, *D]),
            _turns([*B, *A, *C, *D, *OPEN], 2, [*B, *D, *OPEN]),
            _turns([*A, *B, *C], 2, [*A, *B, *C]),
            _turns([*A, *B, *C], 3, [*A, *B, *C]),
            _turns([*A, *B, *C], 8, [*A, *B, *C]),
            _turns([*B, *C, *D], 0, B),
            _turns(OPEN, 1, OPEN),
            _turns(OPEN, 0, OPEN),
            _turns([], 2, []),
        ],
        hint=(
            "Find where the turns start. With k + 1 turns or fewer, all of them go. And what is a slice from -0?",
            "Dekho turn kahan shuru hote hain. k + 1 ya kam turn hon toh sab jaate hain. Aur -0 se slice kya hai?",
        ),
    ),
    "stretch": Exercise(
        cases=[
            Case(
                args=_arguments(newest_three),
                judge=chat(("flat", "One."), ("flat", "Two."), ("flat", "Three."), ("flat", "Four.")),
                shown="four messages on one thread, prompt: the newest three",
            ),
            Case(
                args=_arguments(whole),
                judge=chat(("flat", "One."), ("flat", "Two."), ("flat", "Three.")),
                shown="a second bounded(…), the same thread id, prompt: everything",
            ),
            Case(
                args=_arguments(newest_three),
                judge=chat(("asha", "One."), ("ravi", "Two."), ("asha", "Three."), ("ravi", "Four.")),
                shown="two threads in turn, prompt: the newest three",
            ),
        ],
        hint=(
            "Cut in the node, on the way to the model. The node returns the reply and nothing else.",
            "Node mein kaato, model ko bhejte waqt. Node sirf jawaab lautaaye, aur kuch nahi.",
        ),
    ),
}
