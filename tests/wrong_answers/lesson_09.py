"""Answers to the exercises of lesson 09 that must not pass."""

import hashlib
import sqlite3

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.store.sqlite import SqliteStore

# --- warm_up


def as_it_is(text):
    return text


def only_lower(text):
    return text.lower()


def keeps_the_end(text):
    return " ".join(text.lower().split())


def drops_all_dots(text):
    return " ".join(text.lower().replace(".", "").replace("!", "").replace("?", "").split())


def letters_only(text):
    return "".join(c for c in text.lower() if c.isascii() and c.isalpha()) or "none"


def drops_not(text):
    return " ".join(text.lower().replace("do not ", "").split()).rstrip(".?! ")


def first_words(text):
    return " ".join(text.lower().split()[:3]).rstrip(".?! ")


def cut_at_a_hundred(text):
    return " ".join(text.lower().split()).rstrip(".?! ")[:100]


def a_number(text):
    return len(text)


def a_digest_of_the_raw_text(text):
    return hashlib.sha256(text.encode()).hexdigest()


# --- core


def last_in_the_list(notes):
    return {note["key"]: note["value"] for note in notes if note["value"] is not None}


def first_of_a_day(notes):
    newest = {}
    for note in notes:
        if note["key"] not in newest or note["said"] > newest[note["key"]]["said"]:
            newest[note["key"]] = note
    return {key: note["value"] for key, note in newest.items() if note["value"] is not None}


def drops_none_first(notes):
    told = [note for note in notes if note["value"] is not None]
    return {note["key"]: note["value"] for note in sorted(told, key=lambda note: note["said"])}


def keeps_none(notes):
    return {note["key"]: note["value"] for note in sorted(notes, key=lambda note: note["said"])}


def drops_what_is_falsy(notes):
    return {key: value for key, value in keeps_none(notes).items() if value}


def sorts_in_place(notes):
    notes.sort(key=lambda note: note["said"])
    return {key: value for key, value in keeps_none(notes).items() if value is not None}


def forgets_for_ever(notes):
    gone = {note["key"] for note in notes if note["value"] is None}
    return {key: value for key, value in keeps_none(notes).items() if key not in gone}


def whole_notes(notes):
    return {note["key"]: note for note in sorted(notes, key=lambda note: note["said"]) if note["value"] is not None}


# --- stretch


def _erase(file, user_id, limit=1000, threads=True, items=True, vacuum=True, shelf=None):
    count = 0
    with SqliteSaver.from_conn_string(file) as saver, SqliteStore.from_conn_string(file) as store:
        for item in store.search(("users", user_id, "threads"), limit=limit):
            if threads:
                saver.delete_thread(item.key)
            count += 1
        for item in store.search(shelf or ("users", user_id), limit=limit):
            if items:
                store.delete(item.namespace, item.key)
    if vacuum:
        connection = sqlite3.connect(file)
        connection.execute("VACUUM")
        connection.close()
    return count


def no_vacuum(file, user_id):
    return _erase(file, user_id, vacuum=False)


def ten_at_most(file, user_id):
    return _erase(file, user_id, limit=10)


def threads_only(file, user_id):
    return _erase(file, user_id, items=False)


def items_only(file, user_id):
    return _erase(file, user_id, threads=False)


def facts_only(file, user_id):
    return _erase(file, user_id, shelf=("users", user_id, "facts"))


def everybody(file, user_id):
    return _erase(file, user_id, shelf=("users",))


def the_whole_file(file, user_id):
    count = _erase(file, user_id)
    open(file, "wb").close()
    return count


def secure_delete_instead(file, user_id):
    with SqliteSaver.from_conn_string(file) as saver, SqliteStore.from_conn_string(file) as store:
        for memory in (saver, store):
            memory.conn.execute("PRAGMA secure_delete=ON")
        threads = store.search(("users", user_id, "threads"), limit=1000)
        for item in threads:
            saver.delete_thread(item.key)
        for item in store.search(("users", user_id), limit=1000):
            store.delete(item.namespace, item.key)
    return len(threads)


def returns_nothing(file, user_id):
    _erase(file, user_id)


def counts_all_items(file, user_id):
    with SqliteStore.from_conn_string(file) as store:
        count = len(store.search(("users", user_id), limit=1000))
    _erase(file, user_id)
    return count


WRONG = {
    name: {answer.__name__: answer for answer in answers}
    for name, answers in {
        "warm_up": [
            as_it_is,
            only_lower,
            keeps_the_end,
            drops_all_dots,
            letters_only,
            drops_not,
            first_words,
            cut_at_a_hundred,
            a_number,
            a_digest_of_the_raw_text,
        ],
        "core": [
            last_in_the_list,
            first_of_a_day,
            drops_none_first,
            keeps_none,
            drops_what_is_falsy,
            sorts_in_place,
            forgets_for_ever,
            whole_notes,
        ],
        "stretch": [
            no_vacuum,
            ten_at_most,
            threads_only,
            items_only,
            facts_only,
            everybody,
            the_whole_file,
            secure_delete_instead,
            returns_nothing,
            counts_all_items,
        ],
    }.items()
}
