"""Answers to the exercises of lesson 06 that must not pass."""

from dataclasses import dataclass
from uuid import uuid4

from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.store.memory import InMemoryStore

# --- warm_up


def hands_the_id_on(user_id):
    return ("users", user_id)


def drops_the_dots(user_id):
    return ("users", user_id.replace(".", "") or "empty")


def turns_dots_into_underscores(user_id):
    return ("users", user_id.replace(".", "_"))


def a_string(user_id):
    return f"users/{user_id.encode().hex()}"


def the_hash_of_the_length(user_id):
    return ("users", str(len(user_id)))


def ignores_case(user_id):
    return ("users", user_id.lower().encode().hex())


def a_new_one_each_time(user_id):
    return ("users", uuid4().hex)


def the_hash_of_this_process(user_id):
    return ("users", str(hash(user_id)))


# --- core


def first_ten_only(store, user_id):
    page = store.search(("users", user_id))
    for item in page:
        store.delete(item.namespace, item.key)
    return len(page)


def first_hundred_only(store, user_id):
    page = store.search(("users", user_id), limit=100)
    for item in page:
        store.delete(item.namespace, item.key)
    return len(page)


def top_folder_only(store, user_id):
    page = [item for item in store.search(("users", user_id), limit=1000) if len(item.namespace) == 2]
    for item in page:
        store.delete(item.namespace, item.key)
    return len(page)


def neighbours_too(store, user_id):
    page = [item for item in store.search(("users",), limit=1000) if item.namespace[1].startswith(user_id)]
    for item in page:
        store.delete(item.namespace, item.key)
    return len(page)


def returns_nothing(store, user_id):
    while page := store.search(("users", user_id), limit=100):
        for item in page:
            store.delete(item.namespace, item.key)


def deletes_the_wrong_shelf(store, user_id):
    page = store.search(("users", user_id), limit=1000)
    for item in page:
        store.delete(("users", user_id), item.key)
    return len(page)


def skips_pages(store, user_id):
    count, offset = 0, 0
    while page := store.search(("users", user_id), limit=100, offset=offset):
        for item in page:
            store.delete(item.namespace, item.key)
        count, offset = count + len(page), offset + 100
    return count


# --- stretch


@dataclass
class Context:
    user_id: str


def _graph(node, saver=None, store=None):
    graph = StateGraph(MessagesState, context_schema=Context)
    graph.add_node("talk", node)
    graph.add_edge(START, "talk")
    graph.add_edge("talk", END)
    return graph.compile(checkpointer=saver, store=store)


def _talk(graph, user_id, thread_id, text):
    config = {"configurable": {"thread_id": thread_id}}
    result = graph.invoke({"messages": [HumanMessage(text)]}, config, context=Context(user_id))
    return result["messages"][-1].content


def thread_only(node):
    graph = _graph(node, InMemorySaver(), InMemoryStore())
    return lambda user_id, thread_id, text: _talk(graph, user_id, thread_id, text)


def user_only(node):
    graph = _graph(node, InMemorySaver(), InMemoryStore())
    return lambda user_id, thread_id, text: _talk(graph, user_id, user_id, text)


def joined_with_a_dash(node):
    graph = _graph(node, InMemorySaver(), InMemoryStore())
    return lambda user_id, thread_id, text: _talk(graph, user_id, f"{user_id}-{thread_id}", text)


def joined_with_a_colon(node):
    graph = _graph(node, InMemorySaver(), InMemoryStore())
    return lambda user_id, thread_id, text: _talk(graph, user_id, f"{user_id}:{thread_id}", text)


def no_checkpointer(node):
    graph = _graph(node, None, InMemoryStore())
    return lambda user_id, thread_id, text: _talk(graph, user_id, repr((user_id, thread_id)), text)


def a_store_for_each_call(node):
    saver = InMemorySaver()
    return lambda user_id, thread_id, text: _talk(
        _graph(node, saver, InMemoryStore()), user_id, repr((user_id, thread_id)), text
    )


def no_store(node):
    graph = _graph(node, InMemorySaver())
    return lambda user_id, thread_id, text: _talk(graph, user_id, repr((user_id, thread_id)), text)


WRONG = {
    name: {answer.__name__: answer for answer in answers}
    for name, answers in {
        "warm_up": [
            hands_the_id_on,
            drops_the_dots,
            turns_dots_into_underscores,
            a_string,
            the_hash_of_the_length,
            ignores_case,
            a_new_one_each_time,
            the_hash_of_this_process,
        ],
        "core": [
            first_ten_only,
            first_hundred_only,
            top_folder_only,
            neighbours_too,
            returns_nothing,
            deletes_the_wrong_shelf,
            skips_pages,
        ],
        "stretch": [
            thread_only,
            user_only,
            joined_with_a_dash,
            joined_with_a_colon,
            no_checkpointer,
            a_store_for_each_call,
            no_store,
        ],
    }.items()
}
