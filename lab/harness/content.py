"""What a file holds, read with Python's sqlite3 alone."""
import contextlib
import sqlite3
import urllib.parse

from .schema import quoted

SETTINGS = ["application_id", "user_version", "encoding", "page_size", "auto_vacuum", "journal_mode"]


@contextlib.contextmanager
def opened(path):
    connection = sqlite3.connect(f"file:{urllib.parse.quote(str(path))}?mode=rw", uri=True, timeout=30)
    connection.text_factory = bytes
    try:
        yield connection
    finally:
        connection.close()


def texts(connection, sql, values=()):
    """Rows with texts as str; what is not UTF-8 stays apart."""
    read = lambda value: value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value
    return [tuple(read(value) for value in row) for row in connection.execute(sql, values)]


def answer(connection, pragma):
    """What SQLite says to a check, also where a function or collation is missing that only the program has."""
    try:
        return texts(connection, f"PRAGMA {pragma}")
    except sqlite3.Error as error:
        return str(error)


def by_folded_case(one, other):
    """An order in place of a collation that only the program has: SQLite reads no table whose key has an unknown one."""
    one, other = one.casefold(), other.casefold()
    return (one > other) - (one < other)


class Content:
    """Everything that has to be as before: rows with the class of each value, columns, names, settings, SQLite's checks."""

    def __init__(self, path, collations=()):
        with opened(path) as connection:
            for name in collations:
                connection.create_collation(name, by_folded_case)
            self.settings = {name: texts(connection, f"PRAGMA {name}") for name in SETTINGS}
            self.checks = {name: answer(connection, name) for name in ("integrity_check", "foreign_key_check")}
            self.objects = {
                (kind, name)
                for kind, name in texts(connection, "SELECT type, name FROM sqlite_master")
                if not name.startswith(("_schemakit_", "sqlite_autoindex__schemakit_"))
            }
            self.columns = {}
            self.rows = {}
            self.unread = {}
            for kind, name in sorted(self.objects):
                if kind != "table":
                    continue
                try:
                    self.columns[name], self.rows[name] = self.read(connection, name)
                except sqlite3.Error as error:
                    # Only a virtual table may need a module or tokenizer that this Python lacks.
                    if not texts(connection, "SELECT 1 FROM sqlite_master WHERE name = ? AND sql LIKE 'CREATE VIRTUAL%'", (name,)):
                        raise
                    self.unread[name] = str(error)

    @staticmethod
    def read(connection, table):
        """The columns of a table with what is declared of each, and its rows with their numbers."""
        found = texts(connection, "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?)", (table,))
        key = [name for name, *_, pk, _ in sorted(found, key=lambda column: column[4]) if pk]
        order = ", ".join(map(quoted, key)) or "1"
        for rowid in ("rowid", "_rowid_", "oid"):
            if rowid in (column[0].lower() for column in found):
                continue
            try:
                connection.execute(f"SELECT {rowid} FROM {quoted(table)} LIMIT 1")
                order = rowid
                break
            except sqlite3.OperationalError:
                pass
        names = [column[0] for column in found if column[5] != 1]
        if table.startswith("sqlite_"):
            # SQLite's own notes, such as sqlite_sequence, are a set of rows that it writes anew at will.
            order = ", ".join(map(quoted, names))
        values = ", ".join(f"{quoted(name)}, typeof({quoted(name)})" for name in names)
        first = order if order in ("rowid", "_rowid_", "oid") else "0"
        selected = connection.execute(f"SELECT {first}, {values} FROM {quoted(table)} ORDER BY {order}")
        columns = {column[0]: column[1:] for column in found if column[5] != 1}
        return columns, [(row[0], dict(zip(names, zip(row[1::2], row[2::2])))) for row in selected]

    def differences(self, after, exactly):
        """What of this content is otherwise in another one, which may have more columns and objects unless it is to be the same."""
        told = [f"{name} was {old}, is {after.settings[name]}" for name, old in self.settings.items() if after.settings[name] != old]
        told += [f"{name}: {old} became {after.checks[name]}" for name, old in self.checks.items() if after.checks[name] != old]
        told += [f"{kind} {name} is gone" for kind, name in sorted(self.objects - after.objects)]
        if exactly:
            told += [f"{kind} {name} is there" for kind, name in sorted(after.objects - self.objects)]
        for table, columns in self.columns.items():
            now = after.columns.get(table, {})
            told += [f"{table}.{name} was {old}, is {now.get(name)}" for name, old in columns.items() if now.get(name) != old]
            if exactly:
                told += [f"{table}.{name} is there" for name in now if name not in columns]
            told += self.changed_rows(after, table)
        return told

    def changed_rows(self, after, table):
        old, new = self.rows[table], after.rows.get(table, [])
        if len(old) != len(new):
            return [f"{table} had {len(old)} rows, has {len(new)}"]
        # repr tells -0.0 from 0.0, and holds all digits of a number.
        for (old_id, old_row), (new_id, new_row) in zip(old, new):
            if old_id != new_id or any(repr(value) != repr(new_row.get(name)) for name, value in old_row.items()):
                return [f"{table}: the row {old_id} {old_row} became {new_id} {new_row}"[:600]]
        return []
