"""Answers to the exercises of lesson 07 that must not pass."""

import json

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.store.memory import InMemoryStore
from typing_extensions import TypedDict

# --- warm_up


def not_quoted(known):
    return "\n".join(f"- {fact}: {known[fact]}" for fact in sorted(known)) or "- nothing yet"


def quoted_by_hand(known):
    return "\n".join(f'- {fact}: "{known[fact]}"' for fact in sorted(known)) or "- nothing yet"


def printed(known):
    return "\n".join(f"- {fact}: {known[fact]!r}" for fact in sorted(known)) or "- nothing yet"


def in_any_order(known):
    return "\n".join(f"- {fact}: {json.dumps(value, ensure_ascii=False)}" for fact, value in known.items()) or (
        "- nothing yet"
    )


def empty_when_nothing(known):
    return "\n".join(f"- {fact}: {json.dumps(known[fact], ensure_ascii=False)}" for fact in sorted(known))


def escapes_other_scripts(known):
    return "\n".join(f"- {fact}: {json.dumps(known[fact])}" for fact in sorted(known)) or "- nothing yet"


def leaves_empty_values_out(known):
    lines = [f"- {fact}: {json.dumps(known[fact], ensure_ascii=False)}" for fact in sorted(known) if known[fact]]
    return "\n".join(lines) or "- nothing yet"


# --- core


def settled(known, heard, everything=("everything",), forget_last=False, replace=True):
    wishes = heard.get("forget", [])
    new, changes = dict(known), []

    def forget():
        for fact in [fact for fact in new if fact in wishes or any(word in wishes for word in everything)]:
            changes.append(f"forgot {fact}")
            del new[fact]

    if not forget_last:
        forget()
    for fact, value in heard.items():
        if fact == "forget" or new.get(fact) == value or (not replace and fact in new):
            continue
        changes.append(f"{fact}: {new[fact]} -> {value}" if fact in new else f"{fact}: {value}")
        new[fact] = value
    if forget_last:
        forget()
    return new, changes


def forgets_last(known, heard):
    return settled(known, heard, forget_last=True)


def knows_no_everything(known, heard):
    return settled(known, heard, everything=())


def keeps_the_old_value(known, heard):
    return settled(known, heard, replace=False)


def changes_its_input(known, heard):
    new, changes = settled(known, heard)
    known.clear()
    known.update(new)
    return known, changes


def the_page_only(known, heard):
    return settled(known, heard)[0]


def stores_the_wish(known, heard):
    new, changes = settled(known, heard)
    return ({**new, "forget": heard["forget"]} if "forget" in heard else new), changes


def reports_equal_values(known, heard):
    new, changes = settled(known, heard)
    same = [f"{fact}: {value} -> {value}" for fact, value in heard.items() if known.get(fact) == value]
    return new, changes + same


# --- stretch


class Page(MessagesState):
    user_id: str
    changes: list[str]


class NoReducer(TypedDict):
    messages: list
    user_id: str
    changes: list[str]


class NoUser(MessagesState):
    changes: list[str]


def wired(state, edges, checkpointer, store, **nodes):
    graph = StateGraph(state)
    for name, node in nodes.items():
        graph.add_node(name, node)
    for edge in edges:
        graph.add_edge(*edge)
    return graph.compile(checkpointer=checkpointer, store=store)


IN_ORDER = [(START, "remember"), ("remember", "reply"), ("reply", END)]


def no_store(remember, reply, checkpointer, store):
    return wired(Page, IN_ORDER, checkpointer, None, remember=remember, reply=reply)


def no_checkpointer(remember, reply, checkpointer, store):
    return wired(Page, IN_ORDER, None, store, remember=remember, reply=reply)


def replies_first(remember, reply, checkpointer, store):
    edges = [(START, "reply"), ("reply", "remember"), ("remember", END)]
    return wired(Page, edges, checkpointer, store, remember=remember, reply=reply)


def only_remembers(remember, reply, checkpointer, store):
    return wired(Page, [(START, "remember"), ("remember", END)], checkpointer, store, remember=remember)


def overwrites_the_messages(remember, reply, checkpointer, store):
    return wired(NoReducer, IN_ORDER, checkpointer, store, remember=remember, reply=reply)


def forgets_the_user(remember, reply, checkpointer, store):
    return wired(NoUser, IN_ORDER, checkpointer, store, remember=remember, reply=reply)


def not_compiled(remember, reply, checkpointer, store):
    graph = StateGraph(Page)
    graph.add_node("remember", remember)
    graph.add_node("reply", reply)
    return graph


def swapped(remember, reply, checkpointer, store):
    return wired(Page, IN_ORDER, store, checkpointer, remember=remember, reply=reply)


ONE_STORE = InMemoryStore()


def memories_of_its_own(remember, reply, checkpointer, store):
    """One Store for all graphs that it ever makes: what one wrote, the next one finds."""
    return wired(Page, IN_ORDER, InMemorySaver(), ONE_STORE, remember=remember, reply=reply)


WRONG = {
    name: {answer.__name__: answer for answer in answers}
    for name, answers in {
        "warm_up": [
            not_quoted,
            quoted_by_hand,
            printed,
            in_any_order,
            empty_when_nothing,
            escapes_other_scripts,
            leaves_empty_values_out,
        ],
        "core": [
            forgets_last,
            knows_no_everything,
            keeps_the_old_value,
            changes_its_input,
            the_page_only,
            stores_the_wish,
            reports_equal_values,
        ],
        "stretch": [
            no_store,
            no_checkpointer,
            replies_first,
            only_remembers,
            overwrites_the_messages,
            forgets_the_user,
            not_compiled,
            swapped,
            memories_of_its_own,
        ],
    }.items()
}
