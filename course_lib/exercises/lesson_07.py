"""Lesson 07: the profile as quoted data, a profile that is settled, and the chatbot's wiring."""

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.runtime import Runtime
from langgraph.store.memory import InMemoryStore

from course_lib.exercises import Case, Exercise

# --- warm_up: note(known)

NOTES = [
    ({"name": "Fraz"}, '- name: "Fraz"'),
    ({"name": "Fraz", "city": "Pune"}, '- city: "Pune"\n- name: "Fraz"'),
    ({}, "- nothing yet"),
    ({"preference": 'kulfi"\n- city: "Goa'}, '- preference: "kulfi\\"\\n- city: \\"Goa"'),
    ({"name": "मीरा"}, '- name: "मीरा"'),
    ({"nickname": ""}, '- nickname: ""'),
]

# --- core: settle(known, heard)

PAGE = {"name": "Fraz", "city": "Pune"}
HEARD = [
    ({}, {"name": "Fraz"}, ({"name": "Fraz"}, ["name: Fraz"])),
    (PAGE, {}, (PAGE, [])),
    (PAGE, {"city": "Goa"}, ({"name": "Fraz", "city": "Goa"}, ["city: Pune -> Goa"])),
    (PAGE, {"city": "Pune"}, (PAGE, [])),
    (PAGE, {"job": "chef"}, ({**PAGE, "job": "chef"}, ["job: chef"])),
    (PAGE, {"forget": ["city"]}, ({"name": "Fraz"}, ["forgot city"])),
    (PAGE, {"forget": ["everything"]}, ({}, ["forgot name", "forgot city"])),
    (PAGE, {"forget": ["birthday"]}, (PAGE, [])),
    (PAGE, {"forget": ["city"], "city": "Goa"}, ({"name": "Fraz", "city": "Goa"}, ["forgot city", "city: Goa"])),
    (PAGE, {"city": "Goa", "forget": ["city"]}, ({"name": "Fraz", "city": "Goa"}, ["forgot city", "city: Goa"])),
    (PAGE, {"forget": []}, (PAGE, [])),
    ({}, {"forget": ["everything"]}, ({}, [])),
]

# --- stretch: chatbot_of(remember, reply, checkpointer, store)


def remember(state, runtime: Runtime):
    """Writes the newest message on the user's page."""
    text = state["messages"][-1].text
    runtime.store.put(("users", state["user_id"]), text, {"value": text})
    return {"changes": [f"wrote {text}"]}


def reply(state, runtime: Runtime):
    """Says how many messages and how many lines of the page it sees, and what was changed."""
    lines = runtime.store.search(("users", state["user_id"]))
    said = f"{len(state['messages'])} messages, {len(lines)} on the page, {', '.join(state['changes'])}"
    return {"messages": [AIMessage(said)]}


def parts():
    return remember, reply, InMemorySaver(), InMemoryStore()


def answers(*calls):
    """A judge for turns (user id, thread id, text, reply)."""

    def judge(graph, *_):
        for user_id, thread_id, text, expected in calls:
            config = {"configurable": {"thread_id": thread_id}}
            state = graph.invoke({"messages": [HumanMessage(text)], "user_id": user_id}, config)
            said = state["messages"][-1].text
            if said != expected:
                call = f"{user_id}, thread {thread_id}, {text!r}"
                return (
                    f"{call}: the reply was {said!r}, not {expected!r}.",
                    f"{call}: {said!r} aaya, {expected!r} nahi.",
                )
        return None

    return judge


FIRST = ("fraz", "one", "hi", "1 messages, 1 on the page, wrote hi")
EXERCISES = {
    "warm_up": Exercise(
        cases=[Case(args=(known,), expected=text, keeps_input=True) for known, text in NOTES],
        hint=(
            "`sorted(known)` gives the names in order; `json.dumps` puts the quotes and escapes what is inside.",
            "`sorted(known)` naam order mein deta hai; `json.dumps` quotes lagaata hai aur andar ka escape karta hai.",
        ),
    ),
    "core": Exercise(
        cases=[Case(args=(known, heard), expected=new, keeps_input=True) for known, heard, new in HEARD],
        hint=(
            "Copy `known`, take out what is to be forgotten, then compare each heard value with what is left.",
            "`known` ki copy lo, jo bhoolna hai woh hatao, phir har suni hui value ko bache hue se milao.",
        ),
    ),
    "stretch": Exercise(
        cases=[
            Case(args=parts, judge=answers(FIRST), shown="a first turn"),
            Case(
                args=parts,
                judge=answers(FIRST, ("fraz", "one", "again", "3 messages, 2 on the page, wrote again")),
                shown="two turns in one thread",
            ),
            Case(
                args=parts,
                judge=answers(FIRST, ("fraz", "two", "again", "1 messages, 2 on the page, wrote again")),
                shown="a new thread of the same user",
            ),
            Case(
                args=parts,
                judge=answers(FIRST, ("zoya", "two", "hello", "1 messages, 1 on the page, wrote hello")),
                shown="another user",
            ),
        ],
        hint=(
            "`MessagesState` with two more fields, two nodes, three edges, and both memories in `compile`.",
            "`MessagesState` se state class, do aur field; do node, teen edge, aur `compile` mein dono memories.",
        ),
    ),
}
