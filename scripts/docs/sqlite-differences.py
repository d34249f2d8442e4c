"""Writes docs/sqlite-versions.md: what versions of SQLite compute in different ways, as the libraries of `make matrix` say it.

Usage: sqlite-differences.py PAGE VERSION=LIBRARY …      oldest first
"""

import ctypes
import json
import os
import subprocess
import sys

# What, the versions that changed it, and how to ask. The versions were found with those between the libraries, and are checked
# against these.
ROWS = [
    ("a REAL as text", "3.53.0", "SELECT (0.1 + 0.2) || ''"),
    ("a large one", "3.53.0", "SELECT 1e15 || ''"),
    ("in JSON", "3.53.2", "SELECT json_array(0.1 + 0.2)"),
    ("`quote` of a REAL", "3.43.0 3.47.0 3.53.0", "SELECT quote(0.1 + 0.2)"),
    ("infinity", "3.45.0", "SELECT quote(9e999)"),
    ("a half rounded", "3.43.0", "SELECT round(1.005, 2)"),
    ("a half printed", "3.43.0", "SELECT printf('%.2f', 1.005)"),
    ("the largest REAL", "3.43.0 3.47.0", "SELECT CAST('1.7976931348623158e308' AS REAL) < 9e999"),
    ("a sum of REALs", "3.43.0", "SELECT sum(x) = 0.6 FROM (SELECT 0.1 AS x UNION ALL SELECT 0.2 UNION ALL SELECT 0.3)"),
    ("`DEFAULT 1.0` without a type, in older rows", "3.46.0",
     "CREATE TABLE t (a); INSERT INTO t VALUES (1); ALTER TABLE t ADD COLUMN b DEFAULT 1.0; SELECT typeof(b) FROM t"),
    ("`TEXT DEFAULT TRUE` in older rows", "3.44.0",
     "CREATE TABLE t (a); INSERT INTO t VALUES (1); ALTER TABLE t ADD COLUMN b TEXT DEFAULT TRUE; SELECT typeof(b) FROM t"),
    ("a day that is not there", "3.45.0", "SELECT date('2024-02-30')"),
    ("24:00", "3.54.0", "SELECT datetime('2024-01-01 24:00:00')"),
    ("the end of a second", "3.49.0", "SELECT strftime('%f', '2024-01-01 10:00:00.9996')"),
    ("`substr` with a very large number", "3.48.0", "SELECT substr('hello', 2, 9223372036854775807)"),
    ("`json_valid` of NULL", "3.42.0", "SELECT json_valid(NULL)"),
    ("JSON5", "3.42.0", "SELECT json('{a:1}')"),
    ("`->>` with a number as text", "3.38.0 3.46.0", "SELECT '{\"1\":5}' ->> '1'"),
    ("`concat_ws` and empty texts", "3.44.0 3.50.0", "SELECT concat_ws(',', 'a', '', 'b')"),
    ("a column named oid in ALTER TABLE", "3.35.0 3.54.0", "CREATE TABLE t (a, oid); ALTER TABLE t DROP COLUMN oid; SELECT 'taken'"),
    ("`ADD CONSTRAINT … CHECK` over a NULL", "3.54.0",
     "CREATE TABLE t (a); INSERT INTO t VALUES (NULL); ALTER TABLE t ADD CONSTRAINT k CHECK (a > 0); SELECT 'taken'"),
]

HEAD = """# What versions of SQLite compute otherwise

An index on an expression, a partial index and a STORED column hold what the SQLite that wrote them computed. Another version looks for other
entries: it misses rows, and its `integrity_check` calls the index wrong, which REINDEX turns round. The file's header names the version
that wrote last; in WAL mode it tells only of commits that changed the first page, and a program may have chosen its own digits
(`SQLITE_DBCONFIG_FP_DIGITS`). [SK109](hazards.md#sk109-values-that-another-sqlite-computes-otherwise) and doctor's SD106 ask the
rows for REALs whose text differs, halves that are rounded, dates, and defaults of older rows. Run such a change with a SQLite that computes as
the program's does.

Made by `make sqlite-differences` from the libraries of `make matrix`. LIKE and GLOB of a blob depend on how a library was built, not on its version.

"""


def answer(library, sql):
    """The first value of the last statement as text, or None where it fails."""
    sqlite = ctypes.CDLL(library)
    pointer = ctypes.c_void_p
    sqlite.sqlite3_column_text.restype = ctypes.c_char_p
    database, found = pointer(), []
    sqlite.sqlite3_open(b":memory:", ctypes.byref(database))
    row = ctypes.CFUNCTYPE(ctypes.c_int, pointer, ctypes.c_int, ctypes.POINTER(ctypes.c_char_p), pointer)(
        lambda _, count, values, names: found.append(values[0]) or 0)
    status = sqlite.sqlite3_exec(database, sql.encode(), row, None, None)
    if status:
        return "an error"
    return found[-1].decode() if found[-1] is not None else "NULL"


def number(version):
    return [int(part) for part in version.split(".")]


def main():
    if sys.argv[1] == "--ask":
        print(json.dumps([answer(sys.argv[2], sql) for _, _, sql in ROWS]))
        return
    page, versions = sys.argv[1], [argument.split("=", 1) for argument in sys.argv[2:]]
    answers = []
    for _, library in versions:
        environment = dict(os.environ)
        if "/" in library:
            environment["LD_LIBRARY_PATH"] = os.path.dirname(library)
        asked = subprocess.run([sys.executable, __file__, "--ask", library], env=environment, check=True, capture_output=True)
        answers.append(json.loads(asked.stdout))
    lines = ["| | asked | " + versions[0][0] + " | since |", "| --- | --- | --- | --- |"]
    for index, (name, changes, sql) in enumerate(ROWS):
        values = [answered[index] for answered in answers]
        rest, since = changes.split(), []
        for place in range(1, len(values)):
            between = [change for change in rest if number(versions[place - 1][0]) < number(change) <= number(versions[place][0])]
            if (values[place] != values[place - 1]) != bool(between):
                sys.exit(f"sqlite-differences: {name}: {values[place - 1]} in {versions[place - 1][0]}, "
                         f"{values[place]} in {versions[place][0]}, and {changes} are said to change it")
            if between:
                since.append(f"{between[-1]}: `{values[place]}`")
        last = sql.rsplit("; ", 1)
        asked = last[-1].removeprefix("SELECT ") if len(last) == 1 else last[0].rsplit("; ", 1)[-1] + "; " + last[-1]
        lines.append(f"| {name} | `{asked.replace('|', chr(92) + '|')}` | `{values[0]}` | {', '.join(since)} |")
    with open(page, "w", encoding="utf-8") as file:
        file.write(HEAD + "\n".join(lines) + "\n")


main()
