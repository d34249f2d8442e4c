"""Runs scripts on a local SQLite in the way of a tool for another engine: how it cuts them, and what it lets through.

The facts are those that docs/profiles.md gives sources for. No tool and no server of an engine is run here.
"""

import re
import sqlite3

D1_PRAGMAS = set(
    "data_version page_size table_list case_sensitive_like foreign_keys defer_foreign_keys ignore_check_constraints "
    "legacy_alter_table recursive_triggers reverse_unordered_selects table_info table_xinfo foreign_key_list index_info "
    "index_list index_xinfo foreign_key_check quick_check optimize".split()
)
LIBSQL_PRAGMAS = set(
    "foreign_keys defer_foreign_keys user_version foreign_key_check foreign_key_list integrity_check quick_check "
    "table_info table_xinfo table_list index_info index_list index_xinfo".split()
)
TEMPORARY = {
    sqlite3.SQLITE_CREATE_TEMP_TABLE,
    sqlite3.SQLITE_CREATE_TEMP_INDEX,
    sqlite3.SQLITE_CREATE_TEMP_TRIGGER,
    sqlite3.SQLITE_CREATE_TEMP_VIEW,
}


def statements(text):
    """The statements of a text as SQLite itself cuts it; a tail without one is an error."""
    rest = text
    while rest.strip():
        end = -1
        while True:
            end = rest.find(";", end + 1)
            if end < 0:
                raise ValueError(f"no statement in {rest!r}")
            if sqlite3.complete_statement(rest[: end + 1]):
                break
        yield rest[: end + 1]
        rest = rest[end + 1 :]


def wrangler_pieces(text):
    """The pieces into which wrangler 4 cuts a file for a local D1, comments left out."""
    pieces, piece, depth, place = [], "", 0, 0
    while place < len(text):
        sign = text[place]
        if sign in "'\"`":
            end = place + 1
            while end < len(text):
                if text[end] == sign:
                    if text[end + 1 : end + 2] != sign:
                        break
                    end += 1
                end += 1
            piece += text[place : end + 1]
            place = end + 1
        elif text.startswith("--", place):
            end = text.find("\n", place)
            place = len(text) if end < 0 else end
        elif text.startswith("/*", place):
            place = text.index("*/", place) + 2
        elif sign == ";" and depth == 0:
            pieces.append(piece + ";")
            piece, place = "", place + 1
        else:
            piece += sign
            place += 1
            if re.search(r"\s(BEGIN|CASE)\s$", piece, re.I):
                depth += 1
            if depth and re.search(r"\sEND[;\s]$", piece, re.I):
                depth -= 1
                if sign == ";" and depth == 0:
                    pieces.append(piece)
                    piece = ""
    return [piece for piece in pieces + [piece] if piece.strip()]


def d1_rules(action, first, second, schema, trigger):
    if action in {sqlite3.SQLITE_TRANSACTION, sqlite3.SQLITE_SAVEPOINT, sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH}:
        return sqlite3.SQLITE_DENY
    if action in TEMPORARY or (action == sqlite3.SQLITE_PRAGMA and first.lower() not in D1_PRAGMAS):
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK


def libsql_rules(action, first, second, schema, trigger):
    if action in TEMPORARY | {sqlite3.SQLITE_ANALYZE}:
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_PRAGMA and first.lower() not in LIBSQL_PRAGMAS:
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK


def d1_limits(connection):
    for limit, value in [
        (sqlite3.SQLITE_LIMIT_SQL_LENGTH, 100_000),
        (sqlite3.SQLITE_LIMIT_COLUMN, 100),
        (sqlite3.SQLITE_LIMIT_EXPR_DEPTH, 100),
        (sqlite3.SQLITE_LIMIT_COMPOUND_SELECT, 5),
        (sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50),
    ]:
        connection.setlimit(limit, value)


def in_one_transaction(connection, pieces, rules=None):
    connection.execute("BEGIN")
    connection.set_authorizer(rules)
    try:
        for piece in pieces:
            for statement in statements(piece):
                connection.execute(statement)
    except Exception:
        connection.set_authorizer(None)
        connection.execute("ROLLBACK")
        raise
    connection.set_authorizer(None)
    connection.execute("COMMIT")


def as_wrangler(connection, text):
    """wrangler d1 execute --local --file, and D1's batch(): pieces in one transaction with foreign keys on."""
    connection.execute("PRAGMA foreign_keys = ON")
    d1_limits(connection)
    in_one_transaction(connection, wrangler_pieces(text), d1_rules)


def as_durable_object(connection, text):
    """transactionSync(() => sql.exec(text)): the text as it is."""
    connection.execute("PRAGMA foreign_keys = ON")
    d1_limits(connection)
    in_one_transaction(connection, [text], d1_rules)


def as_rqlite(connection, text):
    """/db/execute?transaction&noparse with the text as one statement; foreign keys are off unless rqlited has -fk."""
    in_one_transaction(connection, [text])


def as_rqlite_fk(connection, text):
    connection.execute("PRAGMA foreign_keys = ON")
    in_one_transaction(connection, [text])


def as_turso(connection, text):
    """turso db shell < FILE: one batch, each statement only after the one before, with the script's own BEGIN."""
    connection.execute("PRAGMA foreign_keys = ON")
    connection.set_authorizer(libsql_rules)
    try:
        for statement in statements(text):
            connection.execute(statement)
    except Exception:
        connection.set_authorizer(None)
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.set_authorizer(None)


def as_client(connection, text):
    """A client of dqlite: one request, which the server runs statement by statement."""
    connection.execute("PRAGMA foreign_keys = ON")
    try:
        for statement in statements(text):
            connection.execute(statement)
    except Exception:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def as_own_transaction(connection, text):
    connection.execute("PRAGMA foreign_keys = ON")
    in_one_transaction(connection, [text])


WAYS = {
    "d1": [as_wrangler, as_durable_object],
    "rqlite": [as_rqlite, as_rqlite_fk],
    "libsql": [as_turso],
    "dqlite": [as_client],
    "in-transaction": [as_own_transaction],
}
