"""Answers to the exercises of lesson 09 that must not pass."""

import hashlib
import sqlite3
import string

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


def words_in_order_of_the_alphabet(text):
    return " ".join(sorted(text.lower().rstrip(".?! ").split()))


def no_spaces_at_all(text):
    return "".join(text.lower().split()).rstrip(".?!")


def strips_each_word(text):
    return " ".join(word.strip(".,?!") for word in text.lower().split()).strip()


def strips_both_ends(text):
    return " ".join(text.lower().split()).strip(".?! ")


def strips_all_punctuation(text):
    return " ".join(text.lower().split()).rstrip(string.punctuation + " ")


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


def _forgotten(notes):
    gone = {}
    for note in notes:
        if note["value"] is None:
            gone[note["key"]] = max(note["said"], gone.get(note["key"], ""))
    return gone


def none_wins_its_day(notes):
    gone = _forgotten(notes)
    return keeps_none([note for note in notes if note["said"] > gone.get(note["key"], "")])


def a_value_wins_its_day(notes):
    gone = _forgotten(notes)
    told = [note for note in notes if note["value"] is not None]
    return keeps_none([note for note in told if note["said"] >= gone.get(note["key"], "")])


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
        _run(file, "VACUUM")
    return count


def _run(file, statement, *values):
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute(statement, values)
    connection.close()


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


def two_known_shelves(file, user_id):
    _erase(file, user_id, shelf=("users", user_id, "threads"))
    return _erase(file, user_id, shelf=("users", user_id, "facts"))


def items_before_threads(file, user_id):
    _erase(file, user_id, threads=False, vacuum=False)
    return _erase(file, user_id)


def names_that_begin_alike(file, user_id):
    count = _erase(file, user_id)
    _run(file, "DELETE FROM store WHERE prefix LIKE ?", f"users.{user_id}%")
    return count


def pages_while_deleting(file, user_id):
    count = _erase(file, user_id, items=False)
    with SqliteStore.from_conn_string(file) as store:
        offset = 0
        while page := store.search(("users", user_id), offset=offset):
            for item in page:
                store.delete(item.namespace, item.key)
            offset += len(page)
    _run(file, "VACUUM")
    return count


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
            words_in_order_of_the_alphabet,
            no_spaces_at_all,
            strips_each_word,
            strips_both_ends,
            strips_all_punctuation,
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
            none_wins_its_day,
            a_value_wins_its_day,
        ],
        "stretch": [
            no_vacuum,
            ten_at_most,
            threads_only,
            items_only,
            facts_only,
            two_known_shelves,
            items_before_threads,
            names_that_begin_alike,
            pages_while_deleting,
            everybody,
            the_whole_file,
            secure_delete_instead,
            returns_nothing,
            counts_all_items,
        ],
    }.items()
}
