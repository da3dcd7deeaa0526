"""Where the chat program keeps everything: one SQLite file with the checkpoints, the Store and a log of all messages.

The checkpointer and the Store bring their own tables. More stand beside them: `threads` says whose thread is whose,
`log` holds every message, in order, written before the model is asked, `leases` says which program is in the middle of
a turn, `wishes` what is to be forgotten and is not yet, `checks` the checksums. Each part has a connection of its own.
"""

import os
import secrets
import sqlite3
import stat
import sys
import tempfile
import threading
import time
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.store.sqlite import SqliteStore

from course_lib import checksums

MARK, VERSION = 0x6C6C6D63, 3  # written into the file's header: whose file this is, and in which format
TABLES = (
    "CREATE TABLE IF NOT EXISTS threads (id TEXT PRIMARY KEY, user TEXT NOT NULL, started TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS log (number INTEGER PRIMARY KEY, thread TEXT NOT NULL REFERENCES threads,"
    " speaker TEXT NOT NULL, text TEXT NOT NULL, at TEXT NOT NULL)",
    "CREATE INDEX IF NOT EXISTS log_of_thread ON log (thread, number)",
    "DROP TABLE IF EXISTS leases",  # version 1 had none, version 2 had them without the user
    "CREATE TABLE leases (user TEXT, thread TEXT, holder TEXT, until REAL, PRIMARY KEY (user, thread))",
    "CREATE TABLE wishes (user TEXT, fact TEXT, value TEXT, PRIMARY KEY (user, fact, value))",  # new in version 3,
    *checksums.statements(),  # as these are
)

LEASE = 30
"""Seconds for which a program may hold a thread. If it dies in a turn, nobody waits longer than this."""


class Refused(Exception):
    """Something that the program does not do, with a sentence for the user in English and in Hinglish."""

    def __init__(self, en, hi):
        super().__init__(en)
        self.texts = en, hi


def default_path():
    """The place for this user of the machine, where the system wants such files."""
    if sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        folder = Path.home() / "Library" / "Application Support"
    else:
        folder = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return folder / "llm-memory-course" / "chat.sqlite"


def now():
    return datetime.now(UTC).isoformat(timespec="seconds")


def unusable(path, error):
    return Refused(
        f"The memory file {path} cannot be used: {error}. Name another one with --data.",
        f"Memory file {path} use nahi ho sakti: {error}. --data se koi aur batao.",
    )


class ChatFile:
    """The open file. `saver` and `store` are the two memories for `build_graph`. Use as a context manager.

    Raises Refused, and leaves the file as it was, if it belongs to something else or cannot be written.
    """

    def __init__(self, path):
        self.path, self._me = Path(path).absolute(), secrets.token_hex(8)
        self._connections = []
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            _check(self.path)
            if not self.path.exists():
                _make(self.path)
            for _ in range(3):
                self._connections.append(_connect(self.path))
            self._log, saver, store = self._connections
            self.saver, self.store = SqliteSaver(saver), SqliteStore(store)
            _set_up(self._log, self.saver, self.store)
        except (OSError, sqlite3.Error) as error:
            self.__exit__()
            raise unusable(self.path, error) from error

    def __enter__(self):
        return self

    def __exit__(self, *error):
        for connection in self._connections:
            connection.close()

    # --- threads

    def owner(self, thread):
        """Whose thread this is, or None if nobody has written in it."""
        row = self._log.execute("SELECT user FROM threads WHERE id = ?", (thread,)).fetchone()
        return row and row[0]

    def claim(self, thread, user):
        """Make the thread the user's, unless it has an owner; raises Refused if that is somebody else."""
        self._log.execute("INSERT OR IGNORE INTO threads VALUES (?, ?, ?)", (thread, user, now()))
        self.check_owner(thread, user)

    def check_owner(self, thread, user):
        """Raise Refused if the thread belongs to another user."""
        if self.owner(thread) not in (None, user):
            raise Refused(f"The thread {thread} belongs to another user.", f"Thread {thread} kisi aur user ka hai.")

    def threads(self, user):
        """The user's threads, oldest first, as (id, time of the start, number of messages, first message)."""
        return self._log.execute(
            "SELECT id, started, (SELECT count(*) FROM log WHERE thread = id),"
            " (SELECT text FROM log WHERE thread = id ORDER BY number LIMIT 1)"
            " FROM threads WHERE user = ? ORDER BY rowid",
            (user,),
        ).fetchall()

    @contextmanager
    def lease(self, user, thread="", patience=None):
        """Hold a thread for one turn, so that two programs on it take turns and no answer is lost; "" holds them all.

        Then no turn of the user's begins, and those that run have ended; do not ask for it in the middle of a turn.
        Raises Refused if another program is still busy after `patience` seconds, twice LEASE unless told.
        """
        end = time.monotonic() + (2 * LEASE if patience is None else patience)
        _wait(end, lambda: self._take(user, thread))
        done = threading.Event()
        renewal = threading.Thread(target=self._renew, args=(user, thread, done), daemon=True)
        renewal.start()
        try:
            if not thread:
                _wait(end, lambda: not self._others(user))
            yield
        finally:
            done.set()
            renewal.join()
            row = user, thread, self._me
            self._log.execute("DELETE FROM leases WHERE user = ? AND thread = ? AND holder = ?", row)

    def _take(self, user, thread):
        """Take a lease unless another program holds it or all of the user's, in one statement; whether it is ours."""
        taken = self._log.execute(
            "INSERT INTO leases SELECT ?1, ?2, ?3, ?4 + ?5 WHERE NOT EXISTS (SELECT 1 FROM leases"
            " WHERE user = ?1 AND thread IN (?2, '') AND holder <> ?3 AND until >= ?4)"
            " ON CONFLICT DO UPDATE SET holder = ?3, until = ?4 + ?5",
            (user, thread, self._me, time.time(), LEASE),
        )
        return taken.rowcount == 1

    def _others(self, user):
        row = user, self._me, time.time()
        return self._log.execute("SELECT 1 FROM leases WHERE user = ? AND holder <> ? AND until >= ?", row).fetchone()

    def _renew(self, user, thread, done):
        """Keep the lease while a slow model is at work. This ends with the program, however that ends."""
        while not done.wait(LEASE / 4):
            row = time.time() + LEASE, user, thread, self._me
            with suppress(sqlite3.Error):  # the turn itself meets the same trouble, and says so
                self._log.execute("UPDATE leases SET until = ? WHERE user = ? AND thread = ? AND holder = ?", row)

    def drop_old_checkpoints(self, thread):
        """Keep a thread's newest checkpoint only: the chat continues from it, and the log has all messages."""
        newest = "(SELECT max(checkpoint_id) FROM checkpoints WHERE thread_id = ?1)"
        for table in ("writes", "checkpoints"):
            self._log.execute(f"DELETE FROM {table} WHERE thread_id = ?1 AND checkpoint_id < {newest}", (thread,))

    def delete_thread(self, thread):
        """Remove a thread with its messages and checkpoints."""
        self.saver.delete_thread(thread)
        for table, column in (("log", "thread"), ("leases", "thread"), ("threads", "id")):
            self._log.execute(f"DELETE FROM {table} WHERE {column} = ?", (thread,))

    # --- wishes: what a user wants forgotten, until that is done

    def wish(self, user, fact, value):
        self._log.execute("INSERT OR IGNORE INTO wishes VALUES (?, ?, ?)", (user, fact, value))

    def wishes(self, user):
        """The (fact, value) pairs that are still to be forgotten."""
        return self._log.execute("SELECT fact, value FROM wishes WHERE user = ?", (user,)).fetchall()

    def cross_out(self, user, wishes):
        """The wishes are done: take them out, and what was overwritten out of the write-ahead log as well."""
        rows = [(user, *wish) for wish in wishes]
        self._log.executemany("DELETE FROM wishes WHERE user = ? AND fact = ? AND value = ?", rows)
        self._log.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # if another program reads just now: at the next close

    # --- the log

    def add(self, thread, speaker, text):
        self._log.execute(
            "INSERT INTO log (thread, speaker, text, at) VALUES (?, ?, ?, ?)", (thread, speaker, text, now())
        )

    def messages(self, thread):
        """All messages of a thread, in order, as (number, speaker, text, time)."""
        return self._log.execute(
            "SELECT number, speaker, text, at FROM log WHERE thread = ? ORDER BY number", (thread,)
        ).fetchall()

    def last_said(self, user):
        """The newest message of a user in any thread, or None."""
        row = self._log.execute(
            "SELECT text FROM log JOIN threads ON thread = id WHERE user = ? AND speaker = 'user'"
            " ORDER BY number DESC LIMIT 1",
            (user,),
        ).fetchone()
        return row and row[0]

    def rewrite(self, number, text):
        """Put another text in the place of a message's; one that stays the same costs no write."""
        self._log.execute("UPDATE log SET text = ?1 WHERE number = ?2 AND text <> ?1", (text, number))


def _wait(end, condition):
    """Wait until the condition holds; raises Refused if it does not at the time `end`."""
    while not condition():
        if time.monotonic() > end:
            raise Refused("Another program is busy with this.", "Ek aur program abhi isi mein laga hai.")
        time.sleep(0.05)


def _check(path):
    """Raise Refused for a file that is not of this program, before anything is written to it."""
    if not path.exists() or path.stat().st_size == 0:
        return
    if not path.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):  # root could write to it all the same
        raise Refused(
            f"{path} is read-only. It was left as it is.", f"{path} sirf padhne ke liye hai. Usko chhua nahi gaya."
        )
    with path.open("rb") as file:
        if file.read(16) != b"SQLite format 3\0":
            raise Refused(
                f"{path} is not a memory file of this chat (no SQLite database). It was left as it is.",
                f"{path} is chat ki memory file nahi hai (SQLite database nahi). Usko chhua nahi gaya.",
            )
        header = file.read(84)
    mark, version = int.from_bytes(header[52:56], "big"), int.from_bytes(header[44:48], "big")
    if mark != MARK:
        raise Refused(
            f"{path} is the database of another program. It was left as it is.",
            f"{path} kisi aur program ka database hai. Usko chhua nahi gaya.",
        )
    if version > VERSION:
        raise Refused(
            f"{path} was written by a newer version of this course. It was left as it is.",
            f"{path} is course ke naye version ne likhi hai. Usko chhua nahi gaya.",
        )


def _make(path):
    """Make a new file whole in a folder beside its place, then give it its name.

    Programs that start at the same time, or are killed while they start, never meet half a file.
    """
    with tempfile.TemporaryDirectory(prefix=".chat-", dir=path.parent) as folder:
        new = Path(folder) / "new.sqlite"
        with closing(_connect(new)) as connection:
            _set_up(connection, SqliteSaver(connection), SqliteStore(connection))
        new.chmod(0o600)  # a conversation is nobody else's business
        with suppress(OSError):  # another program was faster, or no links here: then it is set up in its place
            os.link(new, path)


def _set_up(connection, saver, store):
    """Make the tables, or carry an older version of them forward. Raises sqlite3.DatabaseError for a damaged file."""

    def version():
        return connection.execute("PRAGMA user_version").fetchone()[0]

    sound = connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
    if not sound or version() == VERSION and checksums.damaged(connection):
        raise sqlite3.DatabaseError("it is damaged")
    if version() == 0:  # first of all: a file that is only half set up must be known for ours
        connection.execute(f"PRAGMA application_id = {MARK}")
    saver.setup()
    store.setup()
    if version() < VERSION:
        connection.execute("BEGIN IMMEDIATE")
        with connection:  # commits, or takes all of it back
            for statement in TABLES if version() < VERSION else ():  # another program may have been faster
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {VERSION}")


def _connect(path):
    # autocommit, as SqliteStore wants it; the graph saves from a thread of its own
    connection = sqlite3.connect(path, timeout=30, check_same_thread=False, isolation_level=None)
    connection.execute("PRAGMA secure_delete = ON")  # what is forgotten is overwritten, not only unlinked
    checksums.teach(connection)
    return connection
