"""Forgetting, carried through: out of the Store, the log and the checkpoints, even if the program is killed meanwhile.

A wish stands in the file before anything is deleted, and is crossed out when all is done: what a killed program left,
the next one finishes. Meanwhile no program takes a turn of this user's, which would write back what it has read.
"""

import re

from langchain_core.messages import HumanMessage

from course_lib import chatbot, facts

EVERYTHING = ("everything", "")
"""The wish for all that is kept of a user; any other wish is a (fact, value)."""


def named(file, user, known, wants):
    """The (fact, value) pairs that a list such as `Heard.forget` names, of the profile and of all that was told.

    "city" names the city, "brother" all that is known of the brother, "everything" every fact; "city: Pune" one value.
    """
    told = _told([text for thread, *_ in file.threads(user) for _, _, text, _ in file.messages(thread)])
    pairs = [(fact, entry["value"]) for fact, entry in known.items()] + [*told]
    wants = {want.strip().lower() for want in wants}
    return list(
        dict.fromkeys(
            (fact, value)
            for fact, value in pairs
            if wants & {"everything", fact, fact.partition("'s ")[0], f"{fact}: {value}".lower()}
        )
    )


def carry_out(file, graph, user, patience=None):
    """Carry out the user's wishes on a ChatFile; `graph` is the chatbot on it. Returns whether there were any.

    Raises Refused if the turns of other programs do not end within `patience` seconds; the wishes then stay.
    """
    if not file.wishes(user):
        return False
    with file.lease(user, patience=patience):
        wishes = file.wishes(user)  # again: another program may have been faster
        if EVERYTHING in wishes:
            _forget_user(file, user)
        else:
            wishes = _forget_facts(file, graph, user, wishes)
        file.cross_out(user, wishes)
    return True


def _forget_user(file, user):
    for thread, *_ in file.threads(user):
        file.delete_thread(thread)
    chatbot.update(file.store, user, chatbot.Heard(forget=["everything"]), {})


def _forget_facts(file, graph, user, wishes):
    """Take the wishes' facts out of all that is kept of a user; returns the wishes with the values found on the way."""
    chatbot.update(file.store, user, chatbot.Heard(forget=[f"{fact}: {value}" for fact, value in wishes]), {})
    known = chatbot.profile(file.store, user)
    logs = {thread: file.messages(thread) for thread, *_ in file.threads(user)}
    for fact, value in _told([text for log in logs.values() for _, _, text, _ in log]):
        if fact in dict(wishes):  # the earlier values too; in the file, since each scrubbed text tells fewer of them
            file.wish(user, fact, value)
    wishes = file.wishes(user)
    told_anew = {(fact, entry["value"]) for fact, entry in known.items()}
    values = {value for fact, value in wishes if (fact, value) not in told_anew}
    for thread, log in logs.items():
        _scrub(file, graph, thread, log, values)
    for fact, entry in known.items():
        file.store.put(chatbot.namespace(user), fact, {**entry, "said": without(values, entry["said"])})
    return wishes


def _told(texts):
    """(fact, value) for all that the texts state, and for what a model understood in its own way and replaced later."""
    for _, clause in facts.spoken(HumanMessage(text) for text in texts):
        yield from ((fact.key, fact.value) for fact in facts.stated(clause) if fact.value)
    for text in texts:
        yield from REPLACED.findall(text[text.rfind("[memory: ") :])


_FACTS = "|".join(field.replace("_", " ") for field in chatbot.Heard.model_fields)
REPLACED = re.compile(rf"(?:\[memory: |, )({_FACTS}): (.+?) -> ")
"""An old value in the note that a reply ends with, "[memory: city: Pune -> Nashik]"; see chatbot.model_reply."""


def _scrub(file, graph, thread, log, values):
    """Rewrite a thread's log and its state. The old checkpoints go last: there is a whole state at any moment."""
    for number, _, text, _ in log:
        file.rewrite(number, without(values, text))
    config = {"configurable": {"thread_id": thread}}
    state = graph.get_state(config).values
    if state:
        for message in state["messages"]:
            message.content = without(values, message.text)
        graph.update_state(config, {**state, "changes": []}, as_node="reply")
        file.drop_old_checkpoints(thread)


def without(values, text):
    """The text with each clause that holds one of the values replaced by a mark."""
    for clause in facts.clauses(text):
        if any(re.search(rf"(?<!\w){re.escape(value)}(?!\w)", clause, re.I) for value in values):
            text = text.replace(clause, "[forgotten]")
    return text
