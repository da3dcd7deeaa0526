"""Answers to the exercises of lesson 04 that must not pass."""

from langchain_core.messages import RemoveMessage, SystemMessage
from langgraph.graph.message import REMOVE_ALL_MESSAGES


def turns(messages):
    return sum(message.type == "human" for message in messages)


def cut(messages, keep):
    humans = [i for i, message in enumerate(messages) if message.type == "human"]
    return humans[-keep] if len(humans) > keep else 0


def removals(messages):
    return [RemoveMessage(id=message.id) for message in messages]


# --- warm_up


def counts_messages(messages, trigger, keep):
    if len(messages) <= trigger:
        return [], messages
    return messages[:-keep], messages[-keep:]


def two_messages_a_turn(messages, trigger, keep):
    if turns(messages) <= trigger:
        return [], messages
    return messages[: -2 * keep], messages[-2 * keep :]


def one_turn_too_early(messages, trigger, keep):
    at = cut(messages, keep) if turns(messages) >= trigger else 0
    return messages[:at], messages[at:]


def always_splits(messages, trigger, keep):
    at = cut(messages, keep)
    return messages[:at], messages[at:]


def other_way_round(messages, trigger, keep):
    at = cut(messages, keep) if turns(messages) > trigger else 0
    return messages[at:], messages[:at]


def only_recent(messages, trigger, keep):
    return messages[cut(messages, keep) if turns(messages) > trigger else 0 :]


def empties_the_input(messages, trigger, keep):
    at = cut(messages, keep) if turns(messages) > trigger else 0
    old = [messages.pop(0) for _ in range(at)]
    return old, messages


# --- core


def removes_on_failure(state, summarise):
    old = state["messages"][: cut(state["messages"], 2)]
    if not old:
        return {}
    try:
        summary = summarise(state["summary"], old)
    except Exception:
        summary = state["summary"]
    return {"summary": summary, "messages": removals(old)}


def lets_the_error_through(state, summarise):
    old = state["messages"][: cut(state["messages"], 2)]
    summary = summarise(state["summary"], old) if old else ""
    return {"summary": summary, "messages": removals(old)} if summary.strip() else {}


def catches_only_timeouts(state, summarise):
    try:
        return lets_the_error_through(state, summarise)
    except TimeoutError:
        return {}


def takes_the_blank_one(state, summarise):
    old = state["messages"][: cut(state["messages"], 2)]
    try:
        return {"summary": summarise(state["summary"], old), "messages": removals(old)} if old else {}
    except Exception:
        return {}


def careful(state, summarise, old):
    try:
        summary = summarise(state["summary"], old) if old else ""
    except Exception:
        return {}
    return {"summary": summary, "messages": removals(old)} if summary.strip() else {}


def forgets_the_old_slip(state, summarise):
    return careful({**state, "summary": ""}, summarise, state["messages"][: cut(state["messages"], 2)])


def cuts_by_count(state, summarise):
    return careful(state, summarise, state["messages"][:-4])


def keeps_one_turn(state, summarise):
    return careful(state, summarise, state["messages"][: cut(state["messages"], 1)])


def summarises_all(state, summarise):
    update = careful(state, summarise, state["messages"])
    return {**update, "messages": removals(state["messages"][: cut(state["messages"], 2)])} if update else {}


def keeps_by_returning(state, summarise):
    at = cut(state["messages"], 2)
    update = careful(state, summarise, state["messages"][:at])
    return {**update, "messages": state["messages"][at:]} if update else {}


def remove_all_last(state, summarise):
    at = cut(state["messages"], 2)
    update = careful(state, summarise, state["messages"][:at])
    return {**update, "messages": [*state["messages"][at:], RemoveMessage(id=REMOVE_ALL_MESSAGES)]} if update else {}


def never_removes(state, summarise):
    update = careful(state, summarise, state["messages"][: cut(state["messages"], 2)])
    return {"summary": update["summary"]} if update else {}


def none_when_idle(state, summarise):
    return careful(state, summarise, state["messages"][: cut(state["messages"], 2)]) or None


# --- stretch


class Pinned:
    """Right, so that each wrong one below differs from it in one place."""

    def __init__(self, summarise):
        self.summarise = summarise
        self.reset()

    def reset(self):
        self.summary, self.pinned, self.done = "", [], 0

    def prompt(self, history):
        waiting = history[self.done :]
        if turns(waiting) > 4:
            old = waiting[: cut(waiting, 2)]
            self.pinned += [message for message in old if self.pin(message)]
            self.summary = self.summarise(self.summary, self.rest(old))
            self.done += len(old)
        return self.front() + history[self.done :]

    def pin(self, message):
        return message.type == "human" and any(letter.isdigit() for letter in message.text)

    def rest(self, old):
        return [message for message in old if not self.pin(message)]

    def front(self):
        lines = [*(message.text for message in self.pinned), self.summary]
        return [SystemMessage("\n".join(lines))] if self.done else []


class PinsNothing(Pinned):
    def pin(self, message):
        return False


class PinsWhateverHasADigit(Pinned):
    def pin(self, message):
        return any(letter.isdigit() for letter in message.text)


class PinsAllThatIsHuman(Pinned):
    def pin(self, message):
        return message.type == "human"


class PinnedAndSummarised(Pinned):
    def rest(self, old):
        return old


class LosesTheRest(Pinned):
    def rest(self, old):
        return []


class ForgetsItsSlip(Pinned):
    def prompt(self, history):
        if turns(history[self.done :]) > 4:
            self.summary = ""
        return super().prompt(history)


class PinsOnlyTheNewest(Pinned):
    def prompt(self, history):
        if turns(history[self.done :]) > 4:
            self.pinned = []
        return super().prompt(history)


class ResetsOnlyThePosition(Pinned):
    summary, pinned = "", []

    def reset(self):
        self.done = 0


class StartsAgainEachTime(Pinned):
    def prompt(self, history):
        self.done = 0
        return super().prompt(history)


class EmptySlipInFront(Pinned):
    def front(self):
        return [SystemMessage("\n".join([*(message.text for message in self.pinned), self.summary]))]


class NoSlipInFront(Pinned):
    def front(self):
        return []


class SlipAtTheEnd(Pinned):
    def prompt(self, history):
        recent = super().prompt(history)[bool(self.done) :]
        return recent + self.front()


class TwoInFront(Pinned):
    def front(self):
        wall = "\n".join(message.text for message in self.pinned)
        return [SystemMessage(wall), SystemMessage(self.summary)] if self.done else []


class SendsAll(Pinned):
    def prompt(self, history):
        super().prompt(history)
        return self.front() + history


class ReturnsNothing(Pinned):
    def prompt(self, history):
        super().prompt(history)


def named(*answers):
    return {answer.__name__: answer for answer in answers}


WRONG = {
    "warm_up": named(
        counts_messages,
        two_messages_a_turn,
        one_turn_too_early,
        always_splits,
        other_way_round,
        only_recent,
        empties_the_input,
    ),
    "core": named(
        removes_on_failure,
        lets_the_error_through,
        catches_only_timeouts,
        takes_the_blank_one,
        forgets_the_old_slip,
        cuts_by_count,
        keeps_one_turn,
        summarises_all,
        keeps_by_returning,
        remove_all_last,
        never_removes,
        none_when_idle,
    ),
    "stretch": named(
        PinsNothing,
        PinsWhateverHasADigit,
        PinsAllThatIsHuman,
        PinnedAndSummarised,
        LosesTheRest,
        ForgetsItsSlip,
        PinsOnlyTheNewest,
        ResetsOnlyThePosition,
        StartsAgainEachTime,
        EmptySlipInFront,
        NoSlipInFront,
        SlipAtTheEnd,
        TwoInFront,
        SendsAll,
        ReturnsNothing,
    ),
}
