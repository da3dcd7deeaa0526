"""Answers to the exercises of lesson 01 that must not pass."""

from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph

# --- warm_up


def forgets_the_replies(turn, saver):
    return turn if saver else 1


def counts_the_reply_to_come(turn, saver):
    return 2 * turn if saver else 1


def same_without_a_saver(turn, saver):
    return 2 * turn - 1


def sums_over_the_turns(turn, saver):
    return turn**2 if saver else turn


def ends_after_three(turn, saver):
    return {1: 1, 2: 3}.get(turn, 5) if saver else 1


def prints(turn, saver):
    print(2 * turn - 1 if saver else 1)


# --- core


class Office:
    """Right, so that each wrong one below differs from it in one place."""

    def __init__(self, clerk):
        self.clerk = clerk
        self.folders = {}

    def talk(self, thread_id, text):
        messages = self.messages(thread_id)
        messages.append({"role": "user", "content": text})
        reply = self.clerk(messages)
        messages.append({"role": "assistant", "content": reply})
        return reply

    def messages(self, thread_id):
        return self.folders.setdefault(thread_id, [])


class OneFolderForAll(Office):
    def messages(self, thread_id):
        return super().messages("all")


class NewFolderEachTime(Office):
    def messages(self, thread_id):
        return []


class FoldersOfTheClass(Office):
    shared = {}

    def messages(self, thread_id):
        return self.shared.setdefault((type(self.clerk), thread_id), [])


class ForgetsTheReply(Office):
    def talk(self, thread_id, text):
        self.messages(thread_id).append({"role": "user", "content": text})
        return self.clerk(self.messages(thread_id))


class SendsOnlyTheNewest(Office):
    def talk(self, thread_id, text):
        return self.clerk([{"role": "user", "content": text}])


class ReplyHasTheWrongRole(Office):
    def talk(self, thread_id, text):
        reply = super().talk(thread_id, text)
        self.messages(thread_id)[-1]["role"] = "user"
        return reply


class StoresTheQuestionTooLate(Office):
    def talk(self, thread_id, text):
        reply = self.clerk(self.messages(thread_id))
        self.messages(thread_id).extend(
            [{"role": "user", "content": text}, {"role": "assistant", "content": reply}],
        )
        return reply


class ReturnsNothing(Office):
    def talk(self, thread_id, text):
        super().talk(thread_id, text)


class ReturnsTheMessages(Office):
    def talk(self, thread_id, text):
        super().talk(thread_id, text)
        return self.messages(thread_id)


class KeepsTheLastFour(Office):
    def talk(self, thread_id, text):
        reply = super().talk(thread_id, text)
        self.folders[thread_id] = self.messages(thread_id)[-4:]
        return reply


class AsksTwice(Office):
    def talk(self, thread_id, text):
        self.clerk(self.messages(thread_id))
        return super().talk(thread_id, text)


class SendsStrings(Office):
    def talk(self, thread_id, text):
        self.messages(thread_id).append(text)
        return self.clerk(self.messages(thread_id))


# --- stretch


def graph_of(node, saver):
    graph = StateGraph(MessagesState)
    graph.add_node("reply", node)
    graph.add_edge(START, "reply")
    graph.add_edge("reply", END)
    return graph.compile(checkpointer=saver)


def last_reply(graph, thread_id, text):
    config = {"configurable": {"thread_id": thread_id}}
    return graph.invoke({"messages": [HumanMessage(text)]}, config)["messages"][-1]


def check(thread_id):
    if not isinstance(thread_id, str) or not thread_id.strip():
        raise ValueError(thread_id)


def no_door(node):
    graph = graph_of(node, InMemorySaver())
    return lambda thread_id, text: last_reply(graph, thread_id, text).content


def refuses_only_none(node):
    talk = no_door(node)

    def door(thread_id, text):
        if thread_id is None:
            raise ValueError(thread_id)
        return talk(thread_id, text)

    return door


def lets_spaces_in(node):
    talk = no_door(node)

    def door(thread_id, text):
        if not isinstance(thread_id, str) or not thread_id:
            raise ValueError(thread_id)
        return talk(thread_id, text)

    return door


def turns_everything_into_text(node):
    talk = no_door(node)

    def door(thread_id, text):
        check(str(thread_id))
        return talk(str(thread_id), text)

    return door


def checks_after_the_run(node):
    talk = no_door(node)

    def door(thread_id, text):
        reply = talk(thread_id, text)
        check(thread_id)
        return reply

    return door


def prints_instead_of_raising(node):
    talk = no_door(node)

    def door(thread_id, text):
        if not isinstance(thread_id, str) or not thread_id.strip():
            print("a thread needs an id")
            return None
        return talk(thread_id, text)

    return door


def new_saver_each_time(node):
    def door(thread_id, text):
        check(thread_id)
        return last_reply(graph_of(node, InMemorySaver()), thread_id, text).content

    return door


def no_checkpointer(node):
    def door(thread_id, text):
        check(thread_id)
        return last_reply(graph_of(node, None), thread_id, text).content

    return door


SAVER = InMemorySaver()


def one_saver_for_all_chats(node):
    def door(thread_id, text):
        check(thread_id)
        return last_reply(graph_of(node, SAVER), thread_id, text).content

    return door


def one_thread_for_all(node):
    graph = graph_of(node, InMemorySaver())

    def door(thread_id, text):
        check(thread_id)
        return last_reply(graph, "chat", text).content

    return door


def returns_the_message(node):
    graph = graph_of(node, InMemorySaver())

    def door(thread_id, text):
        check(thread_id)
        return last_reply(graph, thread_id, text)

    return door


def returns_the_graph(node):
    return graph_of(node, InMemorySaver())


def named(*answers):
    return {answer.__name__: answer for answer in answers}


WRONG = {
    "warm_up": named(
        forgets_the_replies,
        counts_the_reply_to_come,
        same_without_a_saver,
        sums_over_the_turns,
        ends_after_three,
        prints,
    ),
    "core": named(
        OneFolderForAll,
        NewFolderEachTime,
        FoldersOfTheClass,
        ForgetsTheReply,
        SendsOnlyTheNewest,
        ReplyHasTheWrongRole,
        StoresTheQuestionTooLate,
        ReturnsNothing,
        ReturnsTheMessages,
        KeepsTheLastFour,
        AsksTwice,
        SendsStrings,
    ),
    "stretch": named(
        no_door,
        refuses_only_none,
        lets_spaces_in,
        turns_everything_into_text,
        checks_after_the_run,
        prints_instead_of_raising,
        new_saver_each_time,
        no_checkpointer,
        one_saver_for_all_chats,
        one_thread_for_all,
        returns_the_message,
        returns_the_graph,
    ),
}
