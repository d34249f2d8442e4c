#!/usr/bin/env python3
"""Times how long a program that writes has to wait while a table is copied, online and in one transaction.

    scripts/bench-online.py [--indexes] [--reader SECONDS] [--max-wal SIZE] SCHEMACTL [ROWS] [STRATEGY ...]

Makes a database of ROWS rows of about 400 bytes with three indexes in a temporary folder. A thread writes to it 200 times a second, of
which 60 % are updates, 20 % deletions and 20 % insertions, and takes each write's time from the moment at which it was due. Meanwhile
`schemactl apply` makes a change that copies the table: NOT NULL with a default, TEXT to INTEGER, a CHECK less. Afterwards every row is
compared with what the thread has written.

With --indexes the change needs two indexes anew: a UNIQUE comes, and one reads what becomes INTEGER. With --reader another connection
keeps a snapshot for that long, which holds the write-ahead log; the strategy `none` applies nothing, and tells what the writer writes alone.
"""

import argparse
import os
import pathlib
import random
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

BEFORE = """CREATE TABLE items (id INTEGER PRIMARY KEY, code TEXT, qty INTEGER, name TEXT, city TEXT, price REAL, added INTEGER,
  a TEXT, b TEXT, c TEXT, note TEXT, payload BLOB, CHECK (price >= 0));
CREATE INDEX items_name ON items (name);
CREATE INDEX items_city ON items (city, added);
CREATE INDEX items_price ON items (price);
"""
AFTER = BEFORE.replace("code TEXT", "code INTEGER").replace("qty INTEGER", "qty INTEGER NOT NULL DEFAULT 0").replace(
    ", CHECK (price >= 0)", ""
)
INDEXES = "CREATE INDEX items_code ON items (code);\n"
INSERT = "INSERT INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


def row(number, source):
    qty = None if source.random() < 0.1 else source.randrange(100)
    texts = [f"{letter} {source.randrange(1000)} of {number}" for letter in "abc"]
    return (
        number, str(source.randrange(100_000)), qty, f"name {source.randrange(1_000_000)}", f"city {source.randrange(500)}",
        source.randrange(10_000) / 4, number * 7, *texts, "note " * 8, source.randbytes(200),
    )


def make(path, rows, before):
    source = random.Random(rows)
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = NORMAL")
    database.executescript(before)
    with database:
        database.executemany(INSERT, (row(number, source) for number in range(1, rows + 1)))
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


class Writer(threading.Thread):
    """Writes 200 times a second, and remembers what each row holds since."""

    def __init__(self, path, rows):
        super().__init__()
        self.path, self.rows = path, rows
        self.ending = threading.Event()
        self.waits, self.known, self.problems = [], {}, []

    def run(self):
        source = random.Random(7)
        database = sqlite3.connect(self.path, timeout=60, isolation_level=None)
        database.execute("PRAGMA synchronous = NORMAL")
        due, last = time.monotonic(), self.rows
        while not self.ending.is_set():
            due += 0.005
            time.sleep(max(0, due - time.monotonic()))
            kind, number = source.random(), source.randrange(1, self.rows + 1)
            try:
                if kind < 0.6:
                    note = f"written {source.randrange(10**9)}"
                    database.execute("UPDATE items SET note = ?, qty = 5 WHERE id = ?", (note, number))
                    if self.known.get(number, "") is not None:
                        self.known[number] = note
                elif kind < 0.8:
                    database.execute("DELETE FROM items WHERE id = ?", (number,))
                    self.known[number] = None
                else:
                    last += 1
                    database.execute(INSERT, row(last, source))
                    self.known[last] = "note " * 8
            except sqlite3.Error as error:
                self.problems.append(str(error))
            self.waits.append(time.monotonic() - due)
        database.close()


def wrong_rows(path, known):
    database = sqlite3.connect(path)
    wrong = 0
    for number, note in known.items():
        found = database.execute("SELECT note FROM items WHERE id = ?", (number,)).fetchone()
        wrong += (found[0] if found else None) != note
    check = database.execute("PRAGMA integrity_check").fetchone()[0]
    left = database.execute("SELECT count(*) FROM sqlite_master WHERE name LIKE '\\_schemakit\\_online%' ESCAPE '\\'").fetchone()[0]
    database.close()
    return wrong, check, left


def hold(path, seconds):
    """Keeps a snapshot of the file for some seconds."""
    reader = sqlite3.connect(path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM sqlite_master").fetchone()
    time.sleep(seconds)
    reader.close()


def measure(options, original, folder, rows, strategy):
    path = folder / f"{strategy}.db"
    subprocess.run(["cp", "--reflink=auto", original, path], check=True)
    os.sync()
    schema = folder / "after.sql"
    after = AFTER + INDEXES if options.indexes else AFTER
    schema.write_text(after.replace("payload BLOB", "payload BLOB, UNIQUE (added, id)") if options.indexes else after)
    writer = Writer(path, rows)
    writer.start()
    time.sleep(2)
    quiet = len(writer.waits)
    begin = time.monotonic()
    longest_log = 0
    if options.reader:
        threading.Thread(target=hold, args=(path, options.reader)).start()
        time.sleep(0.5)
    command = [
        options.schemactl, "apply", path, "--to", schema, "--strategy", strategy, "--yes", "--no-backup", "-q", "--lock-timeout", "60"
    ]
    if strategy == "online":
        command += ["--max-wal", options.max_wal] if options.max_wal else []
    elif strategy == "none":
        command = ["sleep", str(options.reader or 10)]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    while run.poll() is None:
        try:
            longest_log = max(longest_log, os.path.getsize(f"{path}-wal"))
        except OSError:
            pass
        time.sleep(0.05)
    took = time.monotonic() - begin
    writer.ending.set()
    writer.join()
    waits = sorted(writer.waits[quiet:])
    wrong, check, left = wrong_rows(path, writer.known)
    print(
        f"{strategy:<8} {took:7.2f} s  waits: median {waits[len(waits) // 2] * 1000:7.1f} ms, 99 % "
        f"{waits[len(waits) * 99 // 100] * 1000:7.1f}, longest {waits[-1] * 1000:7.1f}  log {longest_log >> 20} MiB  "
        f"{len(writer.waits)} writes, {len(writer.problems)} refused, {wrong} wrong rows, {check}, {left} objects left, exit {run.returncode}",
        flush=True,
    )
    if run.returncode:
        print(run.stdout.read())
    for suffix in ("", "-wal", "-shm"):
        pathlib.Path(f"{path}{suffix}").unlink(missing_ok=True)


def main():
    parser = argparse.ArgumentParser(description="Times how long a writer waits while a table is copied.")
    parser.add_argument("--indexes", action="store_true", help="make a change that needs two indexes anew")
    parser.add_argument("--reader", type=float, metavar="SECONDS", help="keep a snapshot of the file for that long")
    parser.add_argument("--max-wal", metavar="SIZE", help="what apply --strategy online is given")
    parser.add_argument("schemactl", type=os.path.abspath)
    parser.add_argument("rows", type=int, nargs="?", default=1_000_000)
    parser.add_argument("strategies", nargs="*", default=["rebuild", "auto", "online"])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_FOLDER")) as name:
        folder = pathlib.Path(name)
        make(folder / "original.db", options.rows, BEFORE + INDEXES if options.indexes else BEFORE)
        print(f"{options.rows} rows, {os.path.getsize(folder / 'original.db') >> 20} MiB", flush=True)
        for strategy in options.strategies:
            measure(options, folder / "original.db", folder, options.rows, strategy)


main()
