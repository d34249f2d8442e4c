"""Times the strategies for foreign keys that stay on against a plain rebuild with foreign keys off.

Usage: bench-profiles.py [ROWS], with SCHEMACTL naming the program. Each change is made twice on copies of one file with three
tables of ROWS (1,000,000) rows: by the script for a transaction with foreign keys on, and by a plain rebuild. A ratio is of
two runs one after the other.
"""

import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

SCHEMACTL = os.environ.get("SCHEMACTL", ".build/release/schemactl")
ROWS = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000

# The actions of the foreign key to the changed table, whether a fourth table follows, and what changes in its definition.
CHANGES = {
    "column-swap": ("ON DELETE CASCADE", False, ("note TEXT", "note TEXT COLLATE NOCASE")),
    "settle": ("", False, ("note TEXT", "note TEXT CHECK (length(note) < 99)")),
    "re-key": ("ON DELETE CASCADE", False, ("note TEXT", "note TEXT CHECK (length(note) < 99)")),
    "closure": ("ON DELETE CASCADE ON UPDATE CASCADE", False, ("note TEXT", "note TEXT CHECK (length(note) < 99)")),
    "null-and-restore": ("ON DELETE SET NULL ON UPDATE CASCADE", True, ("note TEXT", "note TEXT CHECK (length(note) < 99)")),
}


def schema(actions, has_fourth):
    tables = [
        "CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT NOT NULL, note TEXT, amount REAL);",
        f"CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a (id) {actions}, word TEXT);",
        "CREATE TABLE c (id INTEGER PRIMARY KEY, b INTEGER NOT NULL REFERENCES b (id) ON DELETE CASCADE, word TEXT);",
        "CREATE INDEX b_by_a ON b (a);",
        "CREATE INDEX c_by_b ON c (b);",
    ]
    if has_fourth:
        tables += ["CREATE TABLE d (id INTEGER PRIMARY KEY, c INTEGER REFERENCES c (id));", "CREATE INDEX d_by_c ON d (c);"]
    return "\n".join(tables)


def fill(path, text, has_fourth):
    database = sqlite3.connect(path)
    database.executescript("PRAGMA synchronous = OFF;" + text)
    numbers = f"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {ROWS})"
    database.execute(f"{numbers} INSERT INTO a SELECT i, 'name ' || i, 'note of ' || (i * 7 % 1000), i / 3.0 FROM n")
    database.execute(f"{numbers} INSERT INTO b SELECT i, 1 + i * 7919 % {ROWS}, 'word ' || i FROM n")
    database.execute(f"{numbers} INSERT INTO c SELECT i, 1 + i * 104729 % {ROWS}, 'word ' || i FROM n")
    if has_fourth:
        database.execute(f"{numbers} INSERT INTO d SELECT i, i FROM n")
    database.commit()
    database.close()


def run(folder, profile):
    """The strategy that a script takes, and its seconds."""
    words = [SCHEMACTL, "plan", "start.db", "--to", "schema.sql", "--no-ledger", "--profile", profile, "--format"]
    text = subprocess.run(words + ["sql"], cwd=folder, capture_output=True, text=True, check=True).stdout
    strategy = next(line.split()[1] for line in text.splitlines() if " table a" in line and line.startswith("-- "))
    shutil.copy(folder / "start.db", folder / "run.db")
    database = sqlite3.connect(folder / "run.db", isolation_level=None)
    database.execute("PRAGMA foreign_keys = ON")
    start = time.monotonic()
    if profile != "dqlite":
        text = f"BEGIN IMMEDIATE;\n{text}\nCOMMIT;"
    database.executescript(text)
    seconds = time.monotonic() - start
    counts = [database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in "abc"]
    assert counts == [ROWS] * 3, counts
    database.close()
    return strategy, seconds


def main():
    print(f"SQLite {sqlite3.sqlite_version}, {ROWS} rows a table\nstrategy\tseconds\tplain rebuild\tratio")
    for strategy, (actions, has_fourth, (old, new)) in CHANGES.items():
        folder = pathlib.Path(tempfile.mkdtemp(prefix="schemactl-bench-"))
        try:
            text = schema(actions, has_fourth)
            fill(folder / "start.db", text, has_fourth)
            (folder / "schema.sql").write_text(text.replace(old, new))
            taken, seconds = run(folder, "in-transaction")
            assert taken == strategy, f"{taken} was taken, not {strategy}"
            plain, baseline = run(folder, "dqlite")
            assert plain == "rebuild", plain
            print(f"{strategy}\t{seconds:.1f}\t{baseline:.1f}\t{seconds / baseline:.1f}", flush=True)
        finally:
            shutil.rmtree(folder)


main()
