"""Answers to the exercises of lesson 02 that must not pass."""

from langchain_core.messages import HumanMessage, RemoveMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph

# --- warm_up


def plain_slice(messages, slots):
    return messages[-slots:]


def pins_whatever_comes_first(messages, slots):
    return list(messages) if len(messages) <= slots else messages[:1] + messages[-(slots - 1) :]


def grows_with_one_slot(messages, slots):
    if messages and messages[0].type == "system":
        return messages[:1] + messages[1:][-(slots - 1) :]
    return messages[-slots:] if slots else []


def rule_even_without_a_slot(messages, slots):
    rule = [message for message in messages[:1] if message.type == "system"]
    rest = messages[len(rule) :]
    return rule + rest[max(0, len(rest) - slots + len(rule)) :]


def rule_takes_no_slot(messages, slots):
    rule = messages[:1] if slots and messages and messages[0].type == "system" else []
    rest = messages[len(rule) :]
    return rule + rest[max(0, len(rest) - slots) :]


def one_short_when_there_is_room(messages, slots):
    rule = messages[:1] if slots and messages and messages[0].type == "system" else []
    rest = messages[len(rule) :]
    return rule + rest[len(rest) - (slots - len(rule)) :]


def rule_from_anywhere(messages, slots):
    rule = [message for message in messages if message.type == "system"][:slots]
    rest = [message for message in messages if message.type != "system"]
    return rule + rest[max(0, len(rest) - slots + len(rule)) :]


def always_a_system_message(messages, slots):
    rest = messages[1:]
    return messages[: min(1, slots)] + rest[max(0, len(rest) - slots + 1) :]


def oldest_behind_the_rule(messages, slots):
    return messages[:slots]


def cuts_the_list_it_was_given(messages, slots):
    while len(messages) > slots:
        messages.pop(1 if messages[0].type == "system" and slots else 0)
    return messages


def refuses_one_slot(messages, slots):
    if slots < 2:
        raise ValueError(slots)
    return pins_whatever_comes_first(messages, slots)


def prints(messages, slots):
    print(messages[-slots:])


# --- core


def starts(history):
    return [place for place, message in enumerate(history) if message.type == "human"]


def counts_messages(history, k):
    return history[:2] + history[-2 * k :]


def two_messages_a_turn(history, k):
    return list(history) if len(history) <= 2 * k + 2 else history[:2] + (history[-2 * k :] if k else [])


def first_turn_twice(history, k):
    places = starts(history)
    first = history[: places[1]] if len(places) > 1 else list(history)
    return first + (history[places[-k] :] if 0 < k < len(places) else history)


def everything_for_zero(history, k):
    places = starts(history)
    return list(history) if len(places) <= k + 1 else history[: places[1]] + history[places[-k] :]


def without_the_first(history, k):
    places = starts(history)
    return history[places[-k] :] if 0 < k < len(places) else list(history)


def first_message_only(history, k):
    places = starts(history)
    return list(history) if len(places) <= k + 1 else history[:1] + (history[places[-k] :] if k else [])


def only_humans_and_replies(history, k):
    places = starts(history)
    if len(places) <= k + 1:
        kept = history
    else:
        kept = history[: places[1]] + (history[places[-k] :] if k else [])
    return [message for message in kept if message.type != "tool"]


def first_counts_as_one_of_k(history, k):
    places = starts(history)
    if len(places) <= k:
        return list(history)
    return history[: places[1]] + (history[places[1 - k] :] if k > 1 else [])


def needs_two_turns(history, k):
    places = starts(history)
    return history[: places[1]] + history[max(places[1], places[max(0, len(places) - k)]) if k else len(history) :]


def newest_first(history, k):
    places = starts(history)
    if len(places) <= k + 1:
        return list(history)
    return (history[places[-k] :] if k else []) + history[: places[1]]


def cuts_the_history_it_was_given(history, k):
    places = starts(history)
    if len(places) > k + 1:
        del history[places[1] : places[-k] if k else None]
    return history


# --- stretch


def graph_of(node, saver):
    graph = StateGraph(MessagesState)
    graph.add_node("reply", node)
    graph.add_edge(START, "reply")
    graph.add_edge("reply", END)
    return graph.compile(checkpointer=saver)


def right_node(rule, prompt, model):
    return lambda state: {"messages": [model.invoke([rule, *prompt(state["messages"])])]}


def no_checkpointer(rule, prompt, model):
    return graph_of(right_node(rule, prompt, model), None)


SAVER = InMemorySaver()


def one_saver_for_all_graphs(rule, prompt, model):
    return graph_of(right_node(rule, prompt, model), SAVER)


def sends_everything(rule, prompt, model):
    return graph_of(lambda state: {"messages": [model.invoke([rule, *state["messages"]])]}, InMemorySaver())


def sends_no_rule(rule, prompt, model):
    return graph_of(lambda state: {"messages": [model.invoke(prompt(state["messages"]))]}, InMemorySaver())


def rule_can_be_cut(rule, prompt, model):
    return graph_of(lambda state: {"messages": [model.invoke(prompt([rule, *state["messages"]]))]}, InMemorySaver())


def rule_comes_last(rule, prompt, model):
    return graph_of(lambda state: {"messages": [model.invoke([*prompt(state["messages"]), rule])]}, InMemorySaver())


def rule_is_stored(rule, prompt, model):
    def node(state):
        return {"messages": [rule, model.invoke([rule, *prompt(state["messages"])])]}

    return graph_of(node, InMemorySaver())


def history_is_cut(rule, prompt, model):
    def node(state):
        kept = prompt(state["messages"])
        gone = [message for message in state["messages"] if message not in kept]
        reply = model.invoke([rule, *kept])
        return {"messages": [RemoveMessage(id=message.id) for message in gone] + [reply]}

    return graph_of(node, InMemorySaver())


def asks_twice(rule, prompt, model):
    def node(state):
        model.invoke([rule])
        return right_node(rule, prompt, model)(state)

    return graph_of(node, InMemorySaver())


def user_speaks_for_the_model(rule, prompt, model):
    def node(state):
        return {"messages": [HumanMessage(model.invoke([rule, *prompt(state["messages"])]).content)]}

    return graph_of(node, InMemorySaver())


def not_compiled(rule, prompt, model):
    graph = StateGraph(MessagesState)
    graph.add_node("reply", right_node(rule, prompt, model))
    graph.add_edge(START, "reply")
    graph.add_edge("reply", END)
    return graph


def returns_nothing(rule, prompt, model):
    graph_of(right_node(rule, prompt, model), InMemorySaver())


def named(*answers):
    return {answer.__name__: answer for answer in answers}


WRONG = {
    "warm_up": named(
        plain_slice,
        pins_whatever_comes_first,
        grows_with_one_slot,
        rule_even_without_a_slot,
        rule_takes_no_slot,
        one_short_when_there_is_room,
        rule_from_anywhere,
        always_a_system_message,
        oldest_behind_the_rule,
        cuts_the_list_it_was_given,
        refuses_one_slot,
        prints,
    ),
    "core": named(
        counts_messages,
        two_messages_a_turn,
        first_turn_twice,
        everything_for_zero,
        without_the_first,
        first_message_only,
        only_humans_and_replies,
        first_counts_as_one_of_k,
        needs_two_turns,
        newest_first,
        cuts_the_history_it_was_given,
    ),
    "stretch": named(
        no_checkpointer,
        one_saver_for_all_graphs,
        sends_everything,
        sends_no_rule,
        rule_can_be_cut,
        rule_comes_last,
        rule_is_stored,
        history_is_cut,
        asks_twice,
        user_speaks_for_the_model,
        not_compiled,
        returns_nothing,
    ),
}
