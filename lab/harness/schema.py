"""The schema of a file as `schemactl inspect` prints it, and edits of that text."""
import re

TOKEN = re.compile(r"""--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|\w+|\S""", re.S)


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def unquoted(token):
    first = token[0]
    if first == "[":
        return token[1:-1]
    return token[1:-1].replace(first * 2, first) if first in "\"'`" else token


def closing_parentheses(sql):
    """For each table that the text makes with a list of columns: where that list ends."""
    tokens = [found for found in TOKEN.finditer(sql) if not found[0].startswith(("--", "/*"))]
    words = [found[0].upper() for found in tokens]
    ends = {}
    for index in range(len(words) - 3):
        if words[index : index + 2] != ["CREATE", "TABLE"]:
            continue
        place = index + 2
        if words[place : place + 3] == ["IF", "NOT", "EXISTS"]:
            place += 3
        name = unquoted(tokens[place][0])
        depth = 0
        for token in tokens[place + 1 :]:
            depth += {"(": 1, ")": -1}.get(token[0], 0)
            if depth == 0:
                if token[0] == ")":
                    ends[name] = token.start()
                break
    return ends


def with_columns(sql, tables):
    """A column that may be NULL, and an index on a column that was there before."""
    for table, column in tables.items():
        sql += f"\nALTER TABLE {quoted(table)} ADD COLUMN lab_note TEXT;"
        sql += f"\nCREATE INDEX {quoted('lab_' + table)} ON {quoted(table)} ({quoted(column)});"
    return sql


def with_rules(sql, checked, widened):
    """A CHECK on a column that was there before, and a column with NOT NULL and a default."""
    sql = with_checks(sql, checked)
    for table in widened:
        sql += f"\nALTER TABLE {quoted(table)} ADD COLUMN lab_rank INTEGER NOT NULL DEFAULT 0;"
    return sql


def with_computed_default(sql, tables):
    """A column whose default is computed, for which a table has to be copied."""
    for table in tables:
        sql += f"\nALTER TABLE {quoted(table)} ADD COLUMN lab_made TEXT DEFAULT (datetime('now'));"
    return sql


def with_checks(sql, tables):
    """A CHECK on a column of each table that every value of any program passes, so that its use goes on as before."""
    ends = closing_parentheses(sql)
    for table in sorted(tables, key=lambda table: ends[table], reverse=True):
        check = f",\n  CONSTRAINT lab_check CHECK (length({quoted(tables[table])}) >= 0)\n"
        sql = sql[: ends[table]] + check + sql[ends[table] :]
    return sql
