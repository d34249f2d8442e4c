#!/usr/bin/env python3
"""Times changing many files against a loop in C that runs the same statements.

    scripts/bench-fleet.py SCHEMACTL [FILES] [ROUNDS]

Makes FILES databases of 8 to 40 KB with three schemas, one in a hundred of them with a value that would be lost, in a temporary
folder, and prints the CPU and wall time for each file: of the loop (Benchmarks/Sources/FloorFleet, compiled here with cc) with the
statements of the plans and of the history that a file gets, and of fleet plan and fleet apply, without copies of the files and with
a copy of each; and of a loop in the shell that runs schemactl apply for each of the first 200 files.
"""

import os
import pathlib
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

SCHEMA = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT, phone TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customers (id), total REAL, note TEXT,
  paid INTEGER NOT NULL DEFAULT 0 CHECK (paid IN (0, 1)));
CREATE INDEX orders_by_customer ON orders (customer);
CREATE TABLE invoices (id INTEGER PRIMARY KEY, "order" INTEGER NOT NULL REFERENCES orders (id), amount REAL NOT NULL, created TEXT);
CREATE INDEX invoices_by_order ON invoices ("order");
"""
MORE = ["", ", phone TEXT", ", phone TEXT, legacy TEXT"]


def template(folder, version, rows, spoilt):
    path = folder / f"{version}-{rows}-{spoilt}.db"
    if path.exists():
        return path
    database = sqlite3.connect(path)
    database.executescript(
        f"""CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT{MORE[version]});
        CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customers (id), total REAL, note TEXT);
        CREATE INDEX orders_by_customer ON orders (customer);"""
    )
    for row in range(rows):
        database.execute("INSERT INTO customers (name, email) VALUES (?, ?)", (f"name {row}", f"e{row}@example.org"))
        database.execute("INSERT INTO orders (customer, total, note) VALUES (?, ?, ?)", (row + 1, row * 1.5, "x" * 20))
    if spoilt:
        database.execute("UPDATE customers SET legacy = 'x' WHERE id = 1")
    database.commit()
    database.close()
    return path


def make(folder, templates, count):
    """Makes the files; returns the paths of those that can be changed without consent, by their schema."""
    shutil.rmtree(folder, ignore_errors=True)
    lists = [[], [], []]
    for number in range(count):
        version = number % 3
        spoilt = version == 2 and number % 100 < 3
        place = folder / f"{number // 1000:03d}"
        if number % 1000 == 0:
            place.mkdir(parents=True)
        path = place / f"{number:06d}.db"
        shutil.copyfile(template(templates, version, 20 + number * 37 % 260, spoilt), path)
        if not spoilt:
            lists[version].append(str(path))
    return lists


def timed(arguments, accepted=(0,)):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    process = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode not in accepted:
        sys.exit(f"{arguments}: {process.returncode}\n{process.stdout[-2000:]}")
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall, after.ru_maxrss // 1024)


def statements(schemactl, folder, path):
    """What a file gets: the statements of its plan, and of the tables of its history with their rows."""
    copy = folder / "sample.db"
    shutil.copyfile(path, copy)
    subprocess.run([schemactl, "apply", copy, "--to", folder / "schema.sql", "--yes", "-q"], check=True)
    database = sqlite3.connect(copy)
    plan = database.execute("SELECT plan FROM _schemakit_history").fetchone()[0]
    lines = [plan]
    for name, sql in database.execute("SELECT name, sql FROM sqlite_master WHERE name LIKE '$_schemakit%' ESCAPE '$' AND type = 'table'"):
        lines.append(sql)
        for row in database.execute(f"SELECT * FROM {name}").fetchall():
            values = ", ".join(database.execute("SELECT quote(?)", (value,)).fetchone()[0] for value in row)
            lines.append(f"INSERT INTO {name} VALUES ({values})")
    database.close()
    copy.unlink()
    return ";\n".join(lines) + ";\n"


def main():
    schemactl = str(pathlib.Path(sys.argv[1]).resolve())
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    root = pathlib.Path(__file__).resolve().parent.parent
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        templates = folder / "templates"
        templates.mkdir()
        (folder / "schema.sql").write_text(SCHEMA)
        floor = folder / "fleet-floor"
        source = root / "Benchmarks/Sources/FloorFleet/fleet-floor.c"
        subprocess.run(["cc", "-O2", "-o", floor, source, "-lsqlite3"], check=True)
        files, plan, journal = folder / "files", folder / "plan.json", folder / "run.fleet-journal"
        common = [schemactl, "fleet"]
        for number in range(rounds):
            for copies in [None, folder / "copies"]:
                measure(common, (files, templates, count), (folder, floor, plan, journal), copies)
        make(files, templates, min(count, 200))
        loop = 'for file in "$1"/*/*.db; do "$2" apply "$file" --to "$3" --yes -q --no-backup 2>/dev/null; done; true'
        cpu, wall, _ = timed(["sh", "-c", loop, "sh", files, schemactl, folder / "schema.sql"])
        print(f"shell loop:  {cpu / min(count, 200) * 1000:6.2f} ms CPU, {wall / min(count, 200) * 1000:6.2f} ms wall a file")


def measure(common, making, places, copies):
    folder, floor, plan, journal = places
    files, _, count = making
    lists = make(*making)
    arguments = [floor]
    if copies:
        shutil.rmtree(copies, ignore_errors=True)
        copies.mkdir()
        arguments += ["--copies", copies]
    for version, paths in enumerate(lists):
        (folder / f"{version}.list").write_text("\n".join(paths) + "\n")
        (folder / f"{version}.sql").write_text(statements(common[0], folder, paths[0]))
        arguments += [folder / f"{version}.sql", folder / f"{version}.list"]
    os.sync()
    cpu, wall, _ = timed(arguments)
    changed = sum(map(len, lists))
    print(f"loop in C{', copies' if copies else ''}:   {cpu / changed * 1000:6.2f} ms CPU, {wall / changed * 1000:6.2f} ms wall a file")
    make(*making)
    backup = ["--backup", copies] if copies else ["--no-backup"]
    if copies:
        shutil.rmtree(copies)
    os.sync()
    for words, options, accepted in [
        ("fleet plan", ["plan", "--databases", files, "--to", folder / "schema.sql", "--out", plan, "-q"], (3,)),
        ("fleet apply", ["apply", "--databases", files, "--plan", plan, "--journal", journal, "--yes", "-q", *backup], (3,)),
    ]:
        own, took, memory = timed(common + options, accepted)
        ratio = f", {own / cpu * changed / count:.2f} of the loop's CPU" if words == "fleet apply" else ""
        print(f"{words + ':':12} {own / count * 1000:6.2f} ms CPU, {took / count * 1000:6.2f} ms wall a file, {memory} MB{ratio}", flush=True)
    for path in folder.glob("run.fleet-journal*"):
        path.unlink()


main()
