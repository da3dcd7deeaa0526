"""Lesson 06: a namespace for any user id, a user forgotten completely, and a graph with two memories."""

from langchain_core.messages import AIMessage
from langgraph.graph import MessagesState
from langgraph.runtime import Runtime
from langgraph.store.memory import InMemoryStore

from course_lib.exercises import Case, Exercise

# --- warm_up: shelf(user_id)

IDS = [
    *("meera", "meera@example.com", "meera@example,com", "meera@example_com", "meera example com"),
    *("Meera", "a.b.c", "abc", "...", "-", "मीरा", "x" * 300, "meera@example.com"),
]  # fmt: skip
SHELVES = {}  # the id that each namespace was given for; a module variable, since a judge sees one result only


def is_a_shelf(namespace, user_id):
    if user_id == IDS[0]:
        SHELVES.clear()
    if not isinstance(namespace, tuple) or len(namespace) != 2 or namespace[0] != "users":
        return 'this is not a tuple `("users", label)`.', 'yeh `("users", label)` wala tuple nahi hai.'
    try:
        InMemoryStore().put(namespace, "key", {"value": 1})
    except (ValueError, TypeError) as error:
        return f"the Store refuses it: {error}", f"Store ne mana kiya: {error}"
    if namespace[1].lstrip("-") == str(abs(hash(user_id))):
        return (
            "`hash` of a text is another number in each process: tomorrow this shelf is not found.",
            "text ka `hash` har process mein alag number hai: kal yeh shelf nahi milegi.",
        )
    owner = SHELVES.setdefault(namespace, user_id)
    if owner != user_id:
        return f"the id {owner!r} got the same shelf.", f"id {owner!r} ko bhi yahi shelf mili."
    if list(SHELVES.values()).count(user_id) > 1:
        return "the same id got another shelf before.", "isi id ko pehle doosri shelf mili thi."
    return None


# --- core: forget_user(store, user_id)


def shop():
    """A Store with 237 items of anna, in three folders, and one item each of three others."""
    store = InMemoryStore()
    for number in range(230):
        store.put(("users", "anna"), f"note {number}", {"value": number})
    for number in range(6):
        store.put(("users", "anna", "facts"), f"fact {number}", {"value": number})
    store.put(("users", "anna", "style", "tone"), "tone", {"value": "short"})
    for other in ("annabel", "ann", "ravi"):
        store.put(("users", other), "city", {"value": "Pune"})
    return store


SHOP = []  # the Store that the answer works on; the judge sees only new arguments


def open_shop(user_id):
    SHOP[:] = [*SHOP[-1:], shop()]  # called twice for a case: the answer gets the first shop, the judge the second
    return SHOP[-1], user_id


def forgets(user_id, count):
    """A judge: `count` is returned, nothing of the user is left, and all that belongs to others is."""

    def judge(result, *_):
        store = SHOP[0]
        left = len(store.search(("users", user_id), limit=1000))
        if left:
            return f"{left} items of {user_id} are left.", f"{user_id} ke {left} items bach gaye."
        others = len(store.search((), limit=1000))
        expected = 240 - count
        if others != expected:
            return (
                f"of the others' items {others} are left, and should be {expected}.",
                f"baaki users ke {others} items bache, hone the {expected}.",
            )
        if result != count or isinstance(result, bool):
            return f"there were {count} items.", f"{count} items the."
        return None

    return judge


# --- stretch: two_memories(node) returns talk(user_id, thread_id, text)


def noting_node(state: MessagesState, runtime: Runtime):
    """Writes the newest message into the user's page, and says how much it sees in the thread and on the page."""
    page = ("users", runtime.context.user_id)
    runtime.store.put(page, state["messages"][-1].content, {"value": 1})
    return {"messages": [AIMessage(f"thread {len(state['messages'])}, page {len(runtime.store.search(page))}")]}


def says(*calls):
    """A judge for calls (user id, thread id, text, reply)."""

    def judge(talk, node):
        if not callable(talk):
            return "`two_memories` should return a function.", "`two_memories` ko ek function lautaana hai."
        for user_id, thread_id, text, expected in calls:
            reply = talk(user_id, thread_id, text)
            call = f"`talk({user_id!r}, {thread_id!r}, {text!r})`"
            if reply != expected:
                return f"{call} gave {reply!r}, not {expected!r}.", f"{call} ne {reply!r} diya, {expected!r} nahi."
        return None

    return judge


EXERCISES = {
    "warm_up": Exercise(
        cases=[Case(args=(user_id,), judge=is_a_shelf) for user_id in IDS],
        hint=(
            "Encode the id so that no dot is left and nothing is lost: `user_id.encode().hex()`.",
            "Id ko aise encode karo ki dot na bache aur kuch kho na jaaye: `user_id.encode().hex()`.",
        ),
    ),
    "core": Exercise(
        cases=[
            Case(args=lambda: open_shop("anna"), judge=forgets("anna", 237), shown='a shop, "anna" with 237 items'),
            Case(args=lambda: open_shop("ravi"), judge=forgets("ravi", 1), shown='a shop, "ravi" with 1 item'),
            Case(args=lambda: open_shop("nobody"), judge=forgets("nobody", 0), shown='a shop, "nobody" with 0 items'),
        ],
        hint=(
            "`search` gives ten by default, and each item knows its namespace. Search again until none comes.",
            "`search` ka default das hai, aur har item apna namespace jaanta hai. Jab tak kuch mile, dhoondhte raho.",
        ),
    ),
    "stretch": Exercise(
        cases=[
            Case(
                args=(noting_node,),
                judge=says(("meera", "a", "one", "thread 1, page 1"), ("meera", "a", "two", "thread 3, page 2")),
                shown="two turns of one user on one thread",
            ),
            Case(
                args=(noting_node,),
                judge=says(("meera", "a", "one", "thread 1, page 1"), ("meera", "b", "two", "thread 1, page 2")),
                shown="one user, two threads",
            ),
            Case(
                args=(noting_node,),
                judge=says(("meera", "chat", "one", "thread 1, page 1"), ("fraz", "chat", "two", "thread 1, page 1")),
                shown="two users, the same thread name",
            ),
            Case(
                args=(noting_node,),
                judge=says(("a-b", "c", "one", "thread 1, page 1"), ("a", "b-c", "two", "thread 1, page 1")),
                shown="user a-b with thread c, user a with thread b-c",
            ),
            Case(
                args=(noting_node,),
                judge=says(
                    ("a:b", "c", "one", "thread 1, page 1"),
                    ("a", "b:c", "two", "thread 1, page 1"),
                    ("a_b", "c", "one", "thread 1, page 1"),
                    ("a", "b_c", "three", "thread 1, page 2"),
                ),
                shown='the same with ":" and "_" in place of the dash',
            ),
            Case(args=(noting_node,), judge=says(("meera", "a", "one", "thread 1, page 1")), shown="a second chatbot"),
        ],
        hint=(
            "Compile once, outside talk, with both memories. The thread id that you hand on must tell user and thread "
            "apart: `repr((user_id, thread_id))`.",
            "Compile ek baar, talk ke bahar, dono memories ke saath. Thread id mein user aur thread alag pehchaane "
            "jaayein: `repr((user_id, thread_id))`.",
        ),
    ),
}
