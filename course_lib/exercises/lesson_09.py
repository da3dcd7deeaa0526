"""Lesson 09: a key that repeats itself, notes consolidated, and a user erased down to the bytes of the file."""

import shutil
import tempfile
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.store.memory import InMemoryStore
from langgraph.store.sqlite import SqliteStore

from course_lib.exercises import Case, Exercise

# --- warm_up: key_for(text)

SENTENCES = [  # a text, and the number of the sentence that it is
    *[("I live in Pune.", 0), ("i live in pune", 0), ("  I live   in Pune!", 0), ("I live in\nPune ?", 0)],
    *[("I do not live in Pune.", 1), ("I live in Pune, mostly.", 2), ("My slip is KH-3041.", 3)],
    *[("My slip is KH-3014.", 4), ("My train leaves at 9.15.", 5), ("My train leaves at 915.", 6)],
    *[("Main Pune mein rehti hoon.", 7), ("main pune mein rehti hoon", 7), ("मैं पुणे में रहती हूँ", 8)],
    *[("word " * 200 + "end.", 9), ("word " * 200 + "END", 9), ("word " * 200 + "and", 10)],
    *[("Pune is far from Nashik.", 11), ("Nashik is far from Pune.", 12), ("I am now here.", 13)],
    *[("I am nowhere.", 14), ("No, I moved.", 15), ("No! I moved.", 16), ("No I moved.", 17), ("I write C.", 18)],
    *[("I write C++.", 19), (".NET is my job.", 20), ("NET is my job.", 21)],
]
KEYS = {}  # the key that each sentence was given; a module variable, since a judge sees one result only


def is_a_key(number):
    """A judge: the key is a text that the Store takes, the same for one sentence, another for another."""

    def judge(key, text):
        if text == SENTENCES[0][0]:
            KEYS.clear()
        if not isinstance(key, str) or not key:
            return "a key is a text that is not empty.", "key ek text hoti hai, khaali nahi."
        InMemoryStore().put(("users", "zoya"), key, {"text": text})
        if KEYS.setdefault(number, key) != key:
            return f"the same sentence had the key {KEYS[number]!r} before.", f"isi vaakya ki key {KEYS[number]!r} thi."
        if list(KEYS.values()).count(key) > 1:
            return "another sentence has the same key.", "kisi aur vaakya ki bhi yahi key hai."
        return None

    return judge


# --- core: consolidate(notes)


def notes(*rows):
    return [dict(zip(("key", "value", "said"), row)) for row in rows]


MOVED = notes(("city", "Pune", "2026-02-09"), ("pet", "Bholu", "2026-01-05"), ("city", "Nashik", "2026-03-09"))
TAKEN_BACK = notes(("city", "Pune", "2026-02-09"), ("city", None, "2026-02-10"), ("pet", "Bholu", "2026-01-05"))
ONE_DAY = notes(("city", None, "2026-03-09"), ("city", "Nashik", "2026-03-09"))

# --- stretch: erase_user(file, user_id)

USERS = {"zoya": 14, "zoyab": 3, "fraz": 2}  # how many facts each has
FOLDER = tempfile.TemporaryDirectory(prefix="lesson_09_", ignore_cleanup_errors=True)
FILES = []  # the file that the answer works on, and the one that the judge is handed and does not need


def secrets(user_id):
    """What stands in the messages and items of a user, and in an item deleted long ago; unlike any other user's."""
    return [f"SAID-BY-<{user_id}>", f"NOTED-OF-<{user_id}>", f"DELETED-OF-<{user_id}>"]


@contextmanager
def memories(file):
    with SqliteSaver.from_conn_string(str(file)) as saver, SqliteStore.from_conn_string(str(file)) as store:
        saver.setup()
        store.setup()
        yield saver, store


@lru_cache(maxsize=1)
def master():
    """A file with both memories of three users, in which a deleted item of each has left its bytes behind."""
    file = Path(FOLDER.name) / "master.sqlite"
    builder = StateGraph(MessagesState)
    builder.add_node("talk", lambda state: {"messages": [AIMessage("Noted.")]})
    builder.add_edge(START, "talk")
    with memories(file) as (saver, store):
        store.conn.execute("PRAGMA secure_delete=OFF")
        graph = builder.compile(checkpointer=saver)
        for user_id, count in USERS.items():
            said, noted, _ = secrets(user_id)
            for thread in threads(user_id):
                graph.invoke({"messages": [HumanMessage(said)]}, {"configurable": {"thread_id": thread}})
                store.put(("users", user_id, "threads"), thread, {"title": "a chat"})
            for number in range(count):
                shelf = ("users", user_id, ("facts", "style")[number % 2])
                store.put(shelf, f"fact {number}", {"text": noted})
        for user_id in USERS:
            store.put(("users", user_id), "old", {"text": secrets(user_id)[2] * 10})
        for user_id in USERS:
            store.delete(("users", user_id), "old")
    return file


def threads(user_id):
    return [f"{number} of {user_id}" for number in range(12 if user_id == "zoya" else 1)]


def open_file(user_id):
    file = Path(FOLDER.name) / f"copy {len(list(Path(FOLDER.name).iterdir()))}.sqlite"
    shutil.copy(master(), file)
    FILES[:] = [*FILES[-1:], file]
    return str(file), user_id


def is_erased(result, _, user_id):
    """A judge: nothing of the user is left in either memory or in the bytes, and the others have all of theirs."""
    file = FILES[0]
    others = [other for other in USERS if other != user_id]
    with memories(file) as (saver, store):
        kept = {
            user: [bool(saver.get_tuple({"configurable": {"thread_id": t}})) for t in threads(user)] for user in USERS
        }
        items = {user: len(store.search(("users", user), limit=1000)) for user in USERS}
    if any(kept.get(user_id, [])):
        return "a thread of hers is left.", "uska ek thread bach gaya."
    if items.get(user_id):
        return f"{items[user_id]} items of hers are left.", f"uske {items[user_id]} items bach gaye."
    if not all(all(kept[other]) and items[other] == USERS[other] + len(threads(other)) for other in others):
        return "something of another user is gone.", "kisi aur user ka kuch chala gaya."
    left = [secret for secret in secrets(user_id) if secret.encode() in file.read_bytes()]
    if left:
        return f"the bytes {left[0]!r} are still in the file.", f"file mein abhi bhi {left[0]!r} ke bytes hain."
    expected = len(kept.get(user_id, []))
    if result != expected or isinstance(result, bool):
        return f"she had {expected} threads.", f"uske {expected} threads the."
    return None


EXERCISES = {
    "warm_up": Exercise(
        cases=[Case(args=(text,), judge=is_a_key(number)) for text, number in SENTENCES],
        hint=(
            "`text.lower().split()` loses capitals and spaces; join it again, then `rstrip` the end marks.",
            "`text.lower().split()` se bade akshar aur space jaate hain; phir jodo, aakhir ke nishaan `rstrip` karo.",
        ),
    ),
    "core": Exercise(
        cases=[
            Case(args=(MOVED,), expected={"city": "Nashik", "pet": "Bholu"}, keeps_input=True),
            Case(args=(MOVED[::-1],), expected={"city": "Nashik", "pet": "Bholu"}, keeps_input=True),
            Case(
                args=(notes(*[("tea", v, "2026-03-09") for v in ("chai", "green", "black")]),),
                expected={"tea": "black"},
            ),
            Case(args=(TAKEN_BACK,), expected={"pet": "Bholu"}, keeps_input=True),
            Case(args=(TAKEN_BACK[::-1],), expected={"pet": "Bholu"}, keeps_input=True),
            Case(
                args=(notes(("city", None, "2026-02-10"), ("city", "Nashik", "2026-03-01")),),
                expected={"city": "Nashik"},
            ),
            Case(args=(ONE_DAY,), expected={"city": "Nashik"}),
            Case(args=(ONE_DAY[::-1],), expected={}),
            Case(
                args=(notes(("floor", 0, "2026-02-10"), ("lift", False, "2026-02-10")),),
                expected={"floor": 0, "lift": False},
            ),
            Case(
                args=(notes(("city", "Pune", "2026-11-02"), ("city", "Goa", "2025-12-31")),), expected={"city": "Pune"}
            ),
            Case(args=([],), expected={}),
        ],
        hint=(
            "`sorted(notes, key=...)` by date keeps the order within a day. Fill a dict, and drop the None at the end.",
            "Tareekh se `sorted(notes, key=...)` ek din ka order nahi badalta. Dict bharo, None aakhir mein hataao.",
        ),
    ),
    "stretch": Exercise(
        cases=[
            Case(args=lambda: open_file("zoya"), judge=is_erased, shown='a file, "zoya" with 12 threads and 14 facts'),
            Case(args=lambda: open_file("fraz"), judge=is_erased, shown='a file, "fraz" with 1 thread and 2 facts'),
            Case(args=lambda: open_file("zoyab"), judge=is_erased, shown='a file, "zoyab" with 1 thread and 3 facts'),
        ],
        hint=(
            "Threads first (their ids are items), then the items, with a limit above ten; then VACUUM on a connection "
            "of its own, and close it.",
            "Pehle threads (unki ids items hain), phir items, das se badi limit ke saath; phir alag connection par "
            "VACUUM, aur use band karo.",
        ),
        seconds=15,
    ),
}
