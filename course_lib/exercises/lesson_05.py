"""Lesson 05: what a node sees after a restart, a shop on a file, and thread ids that only their owner may use."""

import random
import shutil
import tempfile
import threading
from itertools import combinations
from pathlib import Path

from langchain_core.messages import AIMessage

from course_lib.exercises import Case, Exercise

# --- core: open_shop(file, node) returns talk(thread_id, text)


def counting_node(state):
    return {"messages": [AIMessage(f"I see {len(state['messages'])}")]}


def in_a_new_folder(judge):
    """Give the judge the path of a file that does not exist, in a folder that is removed afterwards."""

    def judge_in_folder(open_shop):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:  # Windows keeps files that are open
            return judge(open_shop, Path(folder, "shop.db"))

    return judge_in_folder


def _talks(open_shop, file, *calls, call=lambda talk, *args: talk(*args)):
    """Open the shop, make the calls (thread id, messages that the node should see), and complain about the first."""
    talk = open_shop(str(file), counting_node)
    if not callable(talk):
        return "`open_shop` should return a function.", "`open_shop` ko ek function lautaana hai."
    for thread_id, number in calls:
        reply = call(talk, thread_id, "rice 120")
        if not isinstance(reply, str):
            kind = type(reply).__name__
            return f"`talk` gave the type {kind}, not a text.", f"`talk` ne {kind} diya, text nahi."
        if reply != f"I see {number}":
            where = f'`talk("{thread_id}", …)`'
            return (
                f"at {where} the node said “{reply}”, not “I see {number}”.",
                f"{where} par node bola “{reply}”, “I see {number}” nahi.",
            )
    return None


def one_page(open_shop, file):
    return _talks(open_shop, file, ("meera", 1), ("meera", 3), ("meera", 5))


def two_pages(open_shop, file):
    return _talks(open_shop, file, ("meera", 1), ("ravi", 1), ("meera", 3), ("ravi", 3))


def two_files(open_shop, file):
    other = file.with_name("other.db")
    return _talks(open_shop, file, ("meera", 1)) or _talks(open_shop, other, ("meera", 1))


def opened_again(open_shop, file):
    return _talks(open_shop, file, ("meera", 1), ("meera", 3)) or _talks(open_shop, file, ("meera", 5), ("ravi", 1))


def carried_away(open_shop, file):
    """What lies in memory only does not come along when the file is copied."""
    complaint = _talks(open_shop, file, ("meera", 1))
    if complaint:
        return complaint
    for part in (file, file.with_name(f"{file.name}-wal")):  # SQLite keeps the newest pages beside the file
        if part.exists():
            shutil.copy(part, part.with_name(f"copy-{part.name}"))
    return _talks(open_shop, file.with_name(f"copy-{file.name}"), ("meera", 3))


def other_threads(open_shop, file):
    return _talks(open_shop, file, ("meera", 1), ("meera", 3), call=_in_a_thread)


def _in_a_thread(function, *args):
    results = []

    def work():
        try:
            results.append((function(*args), None))
        except Exception as error:  # noqa: BLE001  raised again in the thread of the check, which reports it
            results.append((None, error))

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    worker.join()
    result, error = results[0]
    if error:
        raise error
    return result


# --- stretch: class Rooms with open_room(name) and door(name, room)


def _random_part(room, name):
    """What follows `name_` in a room's id, or None where the id has another shape."""
    whole = isinstance(room, str) and room.startswith(f"{name}_")
    return room[len(name) + 1 :] if whole else None


def ids_have_the_shape(rooms):
    for name in ("meera", "meera_k", "Ravi"):
        part = _random_part(rooms.open_room(name), name)
        if part is None:
            call, shape = f"`open_room({name!r})`", f"`{name}_<random>`"
            return f"{call} is not {shape}.", f"{call} {shape} nahi hai."
        if len(part) < 16:
            return (
                f"{len(part)} random characters are too few: use 16 or more.",
                f"{len(part)} random characters kam hain: 16 ya zyada rakho.",
            )
    return None


def nobody_predicts(rooms):
    """Ids of two objects with equally seeded `random`: they must differ, and in most of their characters."""
    ids = []
    for one in (rooms, type(rooms)()):
        random.seed(5)
        ids += [one.open_room("meera") for _ in range(3)]
    for first, second in combinations([_random_part(room, "meera") or "" for room in ids], 2):
        if first == second:
            return (
                "two rooms got the same id: the next one can be predicted.",
                "do kamron ko ek hi id mili: agli id pehle se pata chal jaati hai.",
            )
        if sum(a == b for a, b in zip(first, second)) > len(first) / 2:
            return (
                "two ids differ in a few characters only: who knows one can guess the other.",
                "do id mein bas thode characters alag hain: ek pata ho toh doosri guess ho jaati hai.",
            )
    return None


def owner_gets_in(rooms):
    ids = [(name, rooms.open_room(name)) for name in ("meera", "ravi", "meera")]
    for name, room in ids:
        config = rooms.door(name, room)
        if config != {"configurable": {"thread_id": room}}:
            return (
                'the owner should get `{"configurable": {"thread_id": room}}`.',
                'maalik ko `{"configurable": {"thread_id": room}}` milna chahiye.',
            )
    return None


def others_stay_out(owner, other):
    def judge(rooms):
        return _refused(rooms, other, rooms.open_room(owner), f"{other!r} got into a room of {owner!r}.")

    return judge


def unknown_rooms_stay_shut(rooms):
    rooms.open_room("meera")
    elsewhere = type(rooms)().open_room("meera")
    for room in ("chat_meera", "meera", "meera_", "", "meera_" + "0" * 32, elsewhere, None):
        complaint = _refused(rooms, "meera", room, f"a room that was never opened let her in: {str(room)[:20]!r}.")
        if complaint:
            return complaint
    return _refused(rooms, None, "meera", "`door(None, …)` was let into a room that was never opened.")


def _refused(rooms, name, room, complaint):
    try:
        rooms.door(name, room)
    except PermissionError:
        return None
    return complaint, "`PermissionError` aana tha, aur darwaaza khul gaya. " + complaint


EXERCISES = {
    "warm_up": Exercise(
        cases=[
            Case(args=("memory", ["meera", "meera"]), expected=[1, 3], keeps_input=True),
            Case(args=("none", ["meera", "meera", "RESTART", "meera"]), expected=[1, 1, 1]),
            Case(args=("memory", ["meera", "ravi", "meera", "ravi"]), expected=[1, 1, 3, 3]),
            Case(args=("memory", ["meera", "meera", "RESTART", "meera", "meera"]), expected=[1, 3, 1, 3]),
            Case(args=("file", ["meera", "ravi", "RESTART", "meera", "asha"]), expected=[1, 1, 3, 1], keeps_input=True),
            Case(args=("file", ["RESTART", "ravi", "RESTART", "RESTART", "ravi", "ravi"]), expected=[1, 3, 5]),
            Case(args=("memory", ["ravi", "meera", "RESTART", "ravi", "RESTART"]), expected=[1, 1, 1]),
            Case(args=("file", []), expected=[]),
        ],
        hint=(
            "Keep a dict: thread id to messages on that page. A turn adds two, but the reply comes after the look.",
            "Ek dict rakho: thread id se us panne ke message. Turn do jodta hai, par jawaab dekhne ke baad aata hai.",
        ),
    ),
    "core": Exercise(
        plain=True,  # the judges open a shop themselves, some of them twice
        seconds=10,
        cases=[
            Case(judge=in_a_new_folder(one_page), shown="three turns on one thread"),
            Case(judge=in_a_new_folder(two_pages), shown="two threads in turn"),
            Case(judge=in_a_new_folder(two_files), shown="two shops, each with its own file"),
            Case(judge=in_a_new_folder(opened_again), shown="two turns, then the same file opened again"),
            Case(judge=in_a_new_folder(carried_away), shown="one turn, then a copy of the file opened"),
            Case(judge=in_a_new_folder(other_threads), shown="talk called from another thread of the computer"),
        ],
        hint=(
            "A `with` that ends inside the function closes the file. Open the connection yourself, for all threads.",
            "Function ke andar khatam hua `with` file band kar deta hai. Connection khud kholo, sab threads ke liye.",
        ),
    ),
    "stretch": Exercise(
        cases=[
            Case(judge=ids_have_the_shape, shown="a room each for three names"),
            Case(judge=nobody_predicts, shown='six times open_room("meera")'),
            Case(judge=owner_gets_in, shown="the owners at the doors of their rooms"),
            Case(judge=others_stay_out("meera", "ravi"), shown="a stranger at the door"),
            Case(judge=others_stay_out("meera_k", "meera"), shown='"meera" at a door of "meera_k"'),
            Case(judge=others_stay_out("meera", "meera_k"), shown='"meera_k" at a door of "meera"'),
            Case(judge=unknown_rooms_stay_shut, shown="rooms that this object never opened"),
        ],
        hint=(
            "`secrets.token_hex(16)` cannot be predicted; `random` can. Note the owner when a room is opened.",
            "`random` guess ho jaata hai, `secrets.token_hex(16)` nahi. Kamra khulte hi uska maalik note karo.",
        ),
    ),
}
