"""Measures what the ways of changing a table cost, as multiples of copying a row and comparing the copy with it.

The constants of StrategyCost.swift are these figures, rounded. Each is the median of RUNS (3) over ROWS (1,000,000) of 20 columns and about 165
bytes with one index, in a file with a rollback journal: bench-costs.py [ROWS [RUNS]]
"""
import os
import sqlite3
import statistics
import sys
import tempfile
import time

rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
runs = int(sys.argv[2]) if len(sys.argv) > 2 else 3
names = [f"c{number}" for number in range(20)]
columns = ["c0 INTEGER PRIMARY KEY"] + [f"{name} {'TEXT' if number % 2 else 'INTEGER'}" for number, name in enumerate(names[1:])]
values = ", ".join(f"i * {number + 3} % 100003" if number % 2 == 0 else f"'text ' || (i * {number} % 9973)" for number in range(19))


def fill(path):
    database = sqlite3.connect(path, isolation_level=None)
    database.execute(f"CREATE TABLE t ({', '.join(columns)})")
    database.execute(f"INSERT INTO t WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {rows}) SELECT i, {values} FROM n")
    database.execute("CREATE INDEX kept ON t (c2)")
    database.close()


def seconds(path, *statements):
    """The time of a transaction, on a copy of the file that the system has read before."""
    copy = path + ".copy"
    os.system(f"cp {path} {copy} && cat {copy} > /dev/null")
    database = sqlite3.connect(copy, isolation_level=None)
    start = time.perf_counter()
    database.execute("BEGIN IMMEDIATE")
    for statement in statements:
        database.execute(statement).fetchall()
    database.execute("COMMIT")
    taken = time.perf_counter() - start
    database.close()
    os.remove(copy)
    return taken


bare = "CREATE TABLE b (c0 INTEGER PRIMARY KEY, " + ", ".join(names[1:]) + ")"
copying = f"INSERT INTO b ({', '.join(names)}) SELECT {', '.join(names)} FROM t NOT INDEXED"
differing = " OR ".join(f"+t.{name} IS NOT +b.{name} COLLATE BINARY" for name in names[1:])
comparing = f"SELECT t.c0 FROM t NOT INDEXED LEFT JOIN b ON b.c0 = t.c0 WHERE b.c0 IS NULL OR {differing} LIMIT 10"
# Rows that break what their columns declare are looked for before a copy.
faults = " OR ".join(f"+{name} >= ''" if number % 2 == 0 else f"{name} < ''" for number, name in enumerate(names[1:]))
examining = f"SELECT c0 FROM t NOT INDEXED WHERE {faults} LIMIT 10"
ways = {
    "copy and compare": [examining, bare, copying, comparing, "DROP TABLE t"],
    "scan": ["SELECT count(*) FROM t NOT INDEXED WHERE typeof(c19) = 'blob'"],
    "DROP COLUMN": ["ALTER TABLE t DROP COLUMN c9"],
    "index": ["CREATE UNIQUE INDEX i ON t (c3, c0)"],
    "update a tenth": ["UPDATE t NOT INDEXED SET c9 = 'x' WHERE c0 % 10 = 0"],
    "update half": ["UPDATE t NOT INDEXED SET c9 = 'x' WHERE c0 % 2 = 0"],
    "update all": ["UPDATE t NOT INDEXED SET c9 = 'x'"],
    "update all to longer ones": ["UPDATE t NOT INDEXED SET c9 = c9 || ' and a longer text'"],
    "update half with its index": ["UPDATE t NOT INDEXED SET c2 = c2 + 1 WHERE c0 % 2 = 0"],
}
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "costs.db")
    fill(path)
    taken = {way: [] for way in ways}
    for _ in range(runs):
        for way, statements in ways.items():
            taken[way].append(seconds(path, *statements))
medians = {way: statistics.median(times) for way, times in taken.items()}
one = medians["copy and compare"]
print(f"SQLite {sqlite3.sqlite_version}, {rows} rows")
for way, median in medians.items():
    print(f"{way:28} {median:7.3f} s  {median / one:5.2f}")
