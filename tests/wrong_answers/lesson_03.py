"""Answers to the exercises of lesson 03 that must not pass."""

from langchain_core.messages import trim_messages
from langchain_core.messages.utils import count_tokens_approximately

from course_lib import tokens


def trim(messages, budget, **settings):
    return trim_messages(messages, **{"max_tokens": budget, "token_counter": tokens.count, **settings})


def whole(messages, budget):
    return trim(messages, budget, include_system=True, start_on="human")


def newest_human(messages):
    return max(i for i, message in enumerate(messages) if message.type == "human")


# --- warm_up


def no_settings(messages, budget):
    return trim(messages, budget)


def no_passport(messages, budget):
    return trim(messages, budget, start_on="human")


def cuts_anywhere(messages, budget):
    return trim(messages, budget, include_system=True)


def counts_messages(messages, budget):
    return trim(messages, budget, token_counter=len, include_system=True, start_on="human")


def approximate(messages, budget):
    return trim(messages, budget, token_counter=count_tokens_approximately, include_system=True, start_on="human")


def oldest_first(messages, budget):
    return trim(messages, budget, strategy="first", end_on="human")


def passport_for_free(messages, budget):
    head = [message for message in messages[:1] if message.type == "system"]
    return head + trim(messages[len(head) :], budget, start_on="human")


def everything(messages, budget):
    return messages


def takes_it_out_of_the_input(messages, budget):
    kept = whole(messages, budget)
    messages[:] = kept
    return kept


# --- core


def may_be_empty(messages, budget):
    return whole(messages, budget)


def only_when_all_is_gone(messages, budget):
    return whole(messages, budget) or messages[newest_human(messages) :]


def question_without_its_tools(messages, budget):
    kept = whole(messages, budget)
    question = messages[newest_human(messages)]
    return kept if any(m.type == "human" for m in kept) else [m for m in kept if m.type == "system"] + [question]


def the_last_message(messages, budget):
    kept = whole(messages, budget)
    return kept if any(m.type == "human" for m in kept) else kept + messages[-1:]


def forgets_the_passport(messages, budget):
    kept = whole(messages, budget)
    return kept if any(m.type == "human" for m in kept) else messages[newest_human(messages) :]


def always_the_last_turn(messages, budget):
    return [m for m in messages[:1] if m.type == "system"] + messages[newest_human(messages) :]


# --- stretch


def leaves_it(messages):
    return messages


def drops_all_tools(messages):
    return [m for m in messages if m.type != "tool" and not getattr(m, "tool_calls", [])]


def only_orphans(messages):
    called = {call["id"] for m in messages for call in getattr(m, "tool_calls", [])}
    return [m for m in messages if m.type != "tool" or m.tool_call_id in called]


def one_result_is_enough(messages):
    answered = {m.tool_call_id for m in messages if m.type == "tool"}
    kept = [m for m in messages if not getattr(m, "tool_calls", []) or any(c["id"] in answered for c in m.tool_calls)]
    return only_orphans(kept)


def other_results_stay(messages):
    answered = {m.tool_call_id for m in messages if m.type == "tool"}
    return [m for m in only_orphans(messages) if not {c["id"] for c in getattr(m, "tool_calls", [])} - answered]


def cuts_to_the_first_human(messages):
    start = next((i for i, m in enumerate(messages) if m.type == "human"), len(messages))
    return messages[start:]


WRONG = {
    name: {answer.__name__: answer for answer in answers}
    for name, answers in {
        "warm_up": [
            no_settings,
            no_passport,
            cuts_anywhere,
            counts_messages,
            approximate,
            oldest_first,
            passport_for_free,
            everything,
            takes_it_out_of_the_input,
        ],
        "core": [
            may_be_empty,
            only_when_all_is_gone,
            question_without_its_tools,
            the_last_message,
            forgets_the_passport,
            always_the_last_turn,
        ],
        "stretch": [
            leaves_it,
            drops_all_tools,
            only_orphans,
            one_result_is_enough,
            other_results_stay,
            cuts_to_the_first_human,
        ],
    }.items()
}
