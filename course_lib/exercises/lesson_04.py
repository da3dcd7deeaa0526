"""Lesson 04: where to cut, a careful node for the summary, and a summary with the numbers pinned."""

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langgraph.graph.message import add_messages

from course_lib.checks import show
from course_lib.exercises import Case, Exercise


def dialogue(*texts, tool_in=()):
    """One turn for each text; the turns in `tool_in` (counted from 1) look something up before they answer."""
    messages = []
    for number, text in enumerate(texts, 1):
        messages.append(HumanMessage(text, id=f"h{number}"))
        if number in tool_in:
            call = {"name": "look_up", "args": {"turn": number}, "id": f"call_{number}"}
            messages.append(AIMessage("", tool_calls=[call], id=f"c{number}"))
            messages.append(ToolMessage(f"Found {number}.", tool_call_id=call["id"], id=f"t{number}"))
        messages.append(AIMessage(f"Answer {number}.", id=f"a{number}"))
    return messages


def texts(messages):
    return [message.text or message.type for message in messages]


# --- warm_up: split(messages, trigger, keep) returns (old, recent)


def splits_at(position):
    def judge(result, messages, trigger, keep):
        pair = isinstance(result, (tuple, list)) and len(result) == 2 and all(isinstance(part, list) for part in result)
        if not pair:
            return "give two lists: `return old, recent`.", "do list chahiye: `return old, recent`."
        wanted = [texts(messages[:position]), texts(messages[position:])]
        if [texts(part) for part in result] != wanted:
            return (
                f"old should be `{wanted[0]}`, and recent `{wanted[1]}`.",
                f"old mein `{wanted[0]}` hona tha, aur recent mein `{wanted[1]}`.",
            )
        return None

    return judge


def _split(messages, trigger, keep, position):
    return Case(args=(messages, trigger, keep), judge=splits_at(position), keeps_input=True)


# --- core: compress(state, summarise) returns an update of the state


def joins(previous, old):
    """A summariser that shows what it was given."""
    return f"{previous} <{'; '.join(texts(old))}>".strip()


def fails(previous, old):
    raise TimeoutError("no answer in time")


def refused(previous, old):
    raise ValueError("the provider refused the request")


def blank(previous, old):
    return "  \n"


def leaves(position, written):
    """A judge: which messages are left once the update is applied, and what the summary is then."""

    def judge(update, state, summarise):
        if not isinstance(update, dict):
            kind = type(update).__name__
            return f"a node returns a dict, this one {kind}.", f"node ek dict lautaata hai, yahan {kind} aaya."
        try:
            left = add_messages(state["messages"], update.get("messages", []))
        except ValueError as error:
            return f"`add_messages` refused the update: {error}", f"`add_messages` ne update nahi maana: {error}"
        if texts(left) != texts(state["messages"][position:]):
            wanted = texts(state["messages"][position:])
            return f"left are `{texts(left)}`, not `{wanted}`.", f"bache `{texts(left)}`, bachne the `{wanted}`."
        summary = update.get("summary", state["summary"])
        if summary != written:
            return f"the summary is {summary!r}, not {written!r}.", f"summary {summary!r} hai, honi thi {written!r}."
        return None

    return judge


def _compress(messages, summary, summarise, position, written, shown):
    state = {"messages": messages, "summary": summary}
    return Case(args=(state, summarise), judge=leaves(position, written), keeps_input=True, shown=shown)


FOUR = dialogue("One.", "Two.", "Three.", "Four.", tool_in={1, 3})
OLD = "old slip"
FIRST_TWO = "<One.; ai; Found 1.; Answer 1.; Two.; Answer 2.>"

# --- stretch: a class PinnedSummary(summarise) with reset() and prompt(history)

TALK = dialogue(
    "My name is Asha.",
    "Book the 9:15 flight.",
    "I like tea.",
    "A window seat, please.",
    "My order is KB-7.",
    "No nuts for me.",
    "How is the weather?",
    "Pick me up at 6.",
    "Thank you.",
    "One last thing.",
    "Goodbye.",
    tool_in={3, 6},
)


def pins(number_of_turns, again=()):
    """A judge that goes through the first turns of TALK; with `again` a new thread follows on the same object."""

    def judge(memory, summarise):
        for talk in filter(None, (TALK[: _start(number_of_turns + 1)], again)):
            memory.reset()
            for position, message in enumerate(talk):
                if message.type == "human":
                    history = list(talk[: position + 1])
                    complaint = _prompt_is_right(memory.prompt(history), talk[: position + 1])
                    if texts(history) != texts(talk[: position + 1]):
                        complaint = "`prompt` changed the history.", "`prompt` ne history badal di."
                    if complaint:
                        where = f"at “{message.text}”", f"“{message.text}” par"
                        return tuple(f"{place}: {said}" for place, said in zip(where, complaint, strict=True))
        return None

    return judge


def _start(turn):
    """The position in TALK where a turn begins."""
    humans = [i for i, message in enumerate(TALK) if message.type == "human"]
    return humans[turn - 1] if turn <= len(humans) else len(TALK)


def _waiting(history):
    """How many turns should stand word for word: they grow to 4, the fifth leaves 2."""
    count, seen = 0, sum(message.type == "human" for message in history)
    for _ in range(seen):
        count = count + 1 if count < 4 else 2
    return count


def _prompt_is_right(prompt, history):
    if not isinstance(prompt, list):
        return f"`prompt` gave {type(prompt).__name__}, not a list.", f"`prompt` ne list nahi di: {show(prompt)}"
    humans = [i for i, message in enumerate(history) if message.type == "human"]
    start = humans[-_waiting(history)]
    old, recent = history[:start], history[start:]
    system = [message for message in prompt if isinstance(message, SystemMessage)]
    if texts(prompt[len(system) :]) != texts(recent):
        got = texts(prompt[len(system) :])
        return (
            f"word for word stand `{got}`, not `{texts(recent)}`.",
            f"waise ke waise `{got}` hain, hone the `{texts(recent)}`.",
        )
    if len(system) != bool(old):
        return (
            f"{len(system)} SystemMessages in front, not {int(bool(old))}.",
            f"aage {len(system)} SystemMessage hain, hone the {int(bool(old))}.",
        )
    written = system[0].text if system else ""
    for message in old:
        pinned = message.type == "human" and any(letter.isdigit() for letter in message.text)
        wanted = message.text if pinned else f"<{message.text}>"
        times = written.count(message.text) if pinned else written.count(wanted)
        if message.text and (times != 1 or (pinned and f"<{message.text}>" in written)):
            how = ("pinned", "pin") if pinned else ("summarised", "summarise")
            return (
                f"“{message.text}” should be {how[0]}, and once. In front stands: {written!r}",
                f"“{message.text}” ko ek baar {how[1]} hona tha. Aage likha hai: {written!r}",
            )
    return None


def brackets(previous, messages):
    """A summariser that loses nothing and marks all that went through it: `<text>`."""
    return f"{previous}{''.join(f'<{message.text}>' for message in messages)}"


def _stretch(judge, shown):
    return Case(args=(brackets,), judge=judge, shown=shown)


EXERCISES = {
    "warm_up": Exercise(
        cases=[
            _split(dialogue("One.", "Two.", "Three."), 2, 1, 4),
            _split(dialogue("One.", "Two."), 2, 1, 0),
            _split(dialogue("One.", "Two.", "Three.", "Four.", tool_in={2, 3}), 3, 2, 6),
            _split([*dialogue("One.", "Two.", "Three."), HumanMessage("Four.")], 3, 1, 6),
            _split([], 2, 1, 0),
        ],
        hint=(
            "Count the human messages first. If there are too many, `cut` of the lesson gives the position.",
            "Pehle human messages gino. Zyada hon toh lesson ka `cut` position deta hai.",
        ),
    ),
    "core": Exercise(
        cases=[
            _compress(FOUR, "", joins, 6, FIRST_TWO, "four turns, two with a tool, no slip yet"),
            _compress(FOUR, OLD, joins, 6, f"{OLD} {FIRST_TWO}", "four turns, and an old slip"),
            _compress(dialogue("One.", "Two."), OLD, joins, 0, OLD, "two turns: nothing to compress"),
            _compress(FOUR, OLD, fails, 0, OLD, "summarise raises TimeoutError"),
            _compress(FOUR, OLD, refused, 0, OLD, "summarise raises ValueError"),
            _compress(FOUR, OLD, blank, 0, OLD, "summarise returns only white space"),
        ],
        hint=(
            "Call `summarise` before you build any RemoveMessage. On every way out that is not a success: `return {}`.",
            "RemoveMessage banane se pehle `summarise` bulao. Jahan bhi baat na bane, wahan `return {}`.",
        ),
    ),
    "stretch": Exercise(
        cases=[
            _stretch(pins(4), "four turns: nothing has to go yet"),
            _stretch(pins(5), "five turns"),
            _stretch(pins(11), "eleven turns, two with a tool"),
            _stretch(pins(11, again=dialogue("Hello again.", "Just one thing.")), "a second thread after reset()"),
        ],
        hint=(
            "Start from SummaryMemory with keep=2 and trigger=4, and sort `old` into two lists before the call.",
            "SummaryMemory se shuru karo, keep=2 aur trigger=4, aur call se pehle `old` ko do list mein baanto.",
        ),
    ),
}
