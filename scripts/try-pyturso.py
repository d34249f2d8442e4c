#!/usr/bin/env python3
"""Runs scripts of `plan --profile libsql` on Turso's own engine, and compares the rows with those that SQLite has afterwards.

    SCHEMAKIT_PROPERTY_SCRIPTS=FOLDER SCHEMAKIT_PROPERTY_PAIRS=1000 swift test --filter ProfileScriptPropertyTests
    pip install pyturso==0.8.3
    scripts/try-pyturso.py FOLDER

For each script, FOLDER has NAME.sql, NAME.before and NAME.after. Prints how many ran up to the history, how many of these left
other rows, and the statements that the engine refused, by kind.
"""

import collections
import pathlib
import re
import shutil
import sqlite3
import sys
import tempfile

import turso

# What pyturso 0.8.3 does only on request, of what SQLite's files may have.
FEATURES = "views,strict,triggers,generated_columns,without_rowid,autovacuum"

def statements(script):
    text = ""
    for line in script.splitlines(keepends=True):
        text += line
        if sqlite3.complete_statement(text):
            yield text
            text = ""


def kind(sql, error):
    sql = re.sub(r"--[^\n]*\n", " ", sql)
    words = re.sub(r"\s+", " ", sql).strip().split(" ")
    reason = re.sub(r"[\"'`\[].*?[\"'`\]]", "…", str(error))[:90]
    return f"{' '.join(words[:2]).upper()[:24]}: {reason}"


def rows(path):
    database = sqlite3.connect(path)
    database.text_factory = bytes
    names = [
        name
        for (name,) in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite$_%' ESCAPE '$'"
            " AND name NOT LIKE '$_schemakit%' ESCAPE '$' ORDER BY name"
        )
    ]
    found = {}
    for name in names:
        quoted = '"' + name.decode().replace('"', '""') + '"'
        found[name] = sorted(map(repr, database.execute(f"SELECT * FROM {quoted}")))
    database.close()
    return found


def main():
    folder = pathlib.Path(sys.argv[1])
    refused, guards, ended, differing, count = collections.Counter(), collections.Counter(), 0, [], 0
    for script in sorted(folder.glob("libsql-*.sql")):
        after = script.with_suffix(".after")
        if not after.exists():
            continue
        count += 1
        with tempfile.TemporaryDirectory() as place:
            path = pathlib.Path(place) / "a.db"
            shutil.copyfile(script.with_suffix(".before"), path)
            sql = ""
            try:
                database = turso.connect(str(path), isolation_level=None, experimental_features=FEATURES)
                cursor = database.cursor()
                sql = "PRAGMA foreign_keys = ON;"
                cursor.execute(sql)
                for sql in statements(script.read_text()):
                    if "main._schemakit_meta" in sql:
                        # The history needs what the engine does not have: UPSERT on a table WITHOUT ROWID.
                        cursor.execute("COMMIT")
                        break
                    try:
                        cursor.execute(sql)
                        if cursor.description:
                            cursor.fetchall()
                    except turso.DatabaseError as error:
                        # Without this table a guard cannot look; what it guards is tried all the same.
                        if "no such table: pragma_" not in str(error):
                            raise
                        guards[kind(sql, error)] += 1
                database.close()
            except BaseException as error:  # A panic of the engine is no Exception.
                if isinstance(error, KeyboardInterrupt):
                    raise
                refused[kind(sql, error)] += 1
                continue
            ended += 1
            try:
                if rows(path) != rows(after):
                    differing.append(script.name)
            except sqlite3.Error as error:
                differing.append(f"{script.name} ({error})")
    print(f"{count} scripts: {ended} ran up to the history, {len(differing)} of them left other rows")
    for name in differing[:20]:
        print(f"  {name}")
    print("ended by:")
    for what, times in refused.most_common():
        print(f"{times:6} {what}")
    print("guards that could not look, passed over:")
    for what, times in guards.most_common():
        print(f"{times:6} {what}")


main()
