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


def cuts_inside_a_message(messages, budget):
    return trim(messages, budget, include_system=True, start_on="human", allow_partial=True)


def drops_a_turn_in_the_middle_of_its_tools(messages, budget):
    return trim(messages, budget, include_system=True, start_on="human", end_on="human")


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


def first_of_two_equal_questions(messages, budget):
    kept = whole(messages, budget)
    start = messages.index(messages[newest_human(messages)])
    return kept if any(m.type == "human" for m in kept) else [m for m in kept if m.type == "system"] + messages[start:]


def cuts_inside_a_message_if_need_be(messages, budget):
    kept = cuts_inside_a_message(messages, budget)
    return kept if any(m.type == "human" for m in kept) else always_the_last_turn(messages, budget)


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


def looks_for_ids_everywhere(messages):
    answered = {m.tool_call_id for m in messages if m.type == "tool"}
    return only_orphans([m for m in messages if all(c["id"] in answered for c in getattr(m, "tool_calls", []))])


def asks_only_the_last_call(messages):
    answered = {m.tool_call_id for m in messages if m.type == "tool"}
    calls = [getattr(m, "tool_calls", []) for m in messages]
    return only_orphans([m for m, c in zip(messages, calls) if not c or c[-1]["id"] in answered])


def counts_results_without_their_ids(messages):
    kept, due = [], 0
    for i, message in enumerate(messages):
        calls = getattr(message, "tool_calls", [])
        following = messages[i + 1 : i + 1 + len(calls)]
        if message.type == "tool":
            kept += [message] if due else []
            due = max(due - 1, 0)
        elif len(calls) == sum(m.type == "tool" for m in following):
            kept.append(message)
            due = len(calls)
        else:
            due = 0
    return kept


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
            cuts_inside_a_message,
            drops_a_turn_in_the_middle_of_its_tools,
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
            first_of_two_equal_questions,
            cuts_inside_a_message_if_need_be,
        ],
        "stretch": [
            leaves_it,
            drops_all_tools,
            only_orphans,
            one_result_is_enough,
            other_results_stay,
            cuts_to_the_first_human,
            looks_for_ids_everywhere,
            asks_only_the_last_call,
            counts_results_without_their_ids,
        ],
    }.items()
}
