"""Checksums of what the memory file holds, kept by the database itself.

SQLite notices a page whose structure is broken, not a letter that changed within a text. So triggers write a CRC-32 of
each row, in the transaction that writes the row; `damaged` computes them again.
"""

import zlib

CHECKED = {  # table: (the columns that tell its rows apart, those that must come back as they were written)
    "threads": (["id"], ["user", "started"]),
    "log": (["number"], ["thread", "speaker", "text", "at"]),
    "checkpoints": (["thread_id", "checkpoint_id"], ["type", "checkpoint", "metadata"]),
    "writes": (["thread_id", "checkpoint_id", "task_id", "idx"], ["channel", "type", "value"]),
    "store": (["prefix", "key"], ["value"]),
}


def teach(connection):
    """Give a connection what the triggers need."""
    connection.create_function("crc", -1, lambda *values: zlib.crc32(repr(values).encode()), deterministic=True)
    connection.execute("PRAGMA recursive_triggers = ON")  # or REPLACE would leave the checksum of the row it removes


def statements():
    """The SQL that makes the table and its triggers, and takes the checksums of the rows that are there already."""
    yield "CREATE TABLE checks (part TEXT, row TEXT, crc INTEGER NOT NULL, PRIMARY KEY (part, row)) WITHOUT ROWID"
    for table in CHECKED:
        key, crc = _key_and_crc(table, "NEW.")
        add = f"INSERT OR REPLACE INTO checks VALUES ('{table}', {key}, {crc})"
        drop = f"DELETE FROM checks WHERE part = '{table}' AND row = {_key_and_crc(table, 'OLD.')[0]}"
        yield f"CREATE TRIGGER {table}_added AFTER INSERT ON {table} BEGIN {add}; END"
        yield f"CREATE TRIGGER {table}_changed AFTER UPDATE ON {table} BEGIN {drop}; {add}; END"
        yield f"CREATE TRIGGER {table}_deleted AFTER DELETE ON {table} BEGIN {drop}; END"
        key, crc = _key_and_crc(table)
        yield f"INSERT INTO checks SELECT '{table}', {key}, {crc} FROM {table}"


def damaged(connection):
    """Whether a row was changed, lost or slipped in by something else than SQL."""
    for table in CHECKED:
        key, crc = _key_and_crc(table)
        checks = f"FROM checks WHERE part = '{table}'"
        unlike = f"EXISTS (SELECT {key}, {crc} FROM {table} EXCEPT SELECT row, crc {checks})"
        fewer = f"(SELECT count(*) FROM {table}) <> (SELECT count(*) {checks})"
        if connection.execute(f"SELECT {unlike} OR {fewer}").fetchone()[0]:
            return True
    return False


def _key_and_crc(table, row=""):
    """The two expressions for a row of a table; `row` is "NEW." or "OLD." in a trigger."""
    key, columns = ([row + column for column in part] for part in CHECKED[table])
    return " || ' ' || ".join([*key, "''"]), f"crc({', '.join(columns)})"
