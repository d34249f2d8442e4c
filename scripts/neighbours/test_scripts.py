"""Runs the scripts of `plan --profile` in the way of each engine's tool, as docs/d1.md says.

Usage: test_scripts.py, with SCHEMACTL naming the program. SCHEMAKIT_SEED repeats the hostile names of a run.
"""

import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import unittest

import engines

SCHEMACTL = os.environ["SCHEMACTL"]

# What people have lost: a table with children is copied under a new name, dropped, and the copy gets its name.
LOSSES = {
    "a column becomes NOT NULL while posts follow their user": (
        """
        CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT);
        CREATE TABLE posts (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE, body TEXT);
        CREATE INDEX posts_by_user ON posts (user_id);
        INSERT INTO users VALUES (1, 'ada@example.org'), (2, 'bob@example.org');
        INSERT INTO posts VALUES (10, 1, 'one'), (11, 1, 'two'), (12, 2, 'three');
        """,
        ("email TEXT)", "email TEXT NOT NULL UNIQUE)"),
        "users",
        "id, email",
    ),
    "a CHECK is added while members forget their team": (
        """
        CREATE TABLE teams (id TEXT PRIMARY KEY, name TEXT NOT NULL, plan TEXT NOT NULL DEFAULT 'free');
        CREATE TABLE members (id INTEGER PRIMARY KEY, team TEXT REFERENCES teams (id) ON DELETE SET NULL, name TEXT);
        INSERT INTO teams VALUES ('red', 'Red', 'free'), ('blue', 'Blue', 'paid');
        INSERT INTO members VALUES (1, 'red', 'Ada'), (2, 'blue', 'Bob'), (3, NULL, 'Eve');
        """,
        ("DEFAULT 'free')", "DEFAULT 'free' CHECK (plan IN ('free', 'paid')))"),
        "teams",
        "id, name, plan",
    ),
    "a default goes while two generations follow": (
        """
        CREATE TABLE projects (id INTEGER PRIMARY KEY AUTOINCREMENT, state TEXT NOT NULL DEFAULT 'new');
        CREATE TABLE tasks (id INTEGER PRIMARY KEY, project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE);
        CREATE TABLE notes (id INTEGER PRIMARY KEY, task INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE ON UPDATE CASCADE);
        INSERT INTO projects (state) VALUES ('open'), ('shut');
        INSERT INTO tasks VALUES (1, 1), (2, 1), (3, 2);
        INSERT INTO notes VALUES (1, 1), (2, 2), (3, 3), (4, 3);
        """,
        ("state TEXT NOT NULL DEFAULT 'new')", "state TEXT NOT NULL)"),
        "projects",
        "id, state",
    ),
    "a type changes where a tree refers to itself": (
        """
        CREATE TABLE folders (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES folders (id) ON DELETE CASCADE, size TEXT);
        CREATE TABLE files (id INTEGER PRIMARY KEY, folder INTEGER NOT NULL REFERENCES folders (id) ON DELETE CASCADE);
        CREATE TRIGGER folder_gone AFTER DELETE ON folders BEGIN DELETE FROM files WHERE folder = OLD.id; END;
        INSERT INTO folders VALUES (1, NULL, '10'), (2, 1, '4'), (3, 2, '1');
        INSERT INTO files VALUES (7, 1), (8, 2), (9, 3);
        """,
        ("size TEXT)", "size INTEGER)"),
        "folders",
        "id, parent, size",
    ),
}


class ScriptCase(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="schemactl-scripts-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def run_command(self, *words, status=0, text=None):
        run = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, input=text)
        self.assertEqual(run.returncode, status, f"{words}: {run.stdout}{run.stderr}")
        return run.stdout

    def schemactl(self, *words, status=0):
        return self.run_command(SCHEMACTL, *words, status=status)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def database(self, name, text):
        (self.folder / name).unlink(missing_ok=True)
        connection = sqlite3.connect(self.folder / name, isolation_level=None)
        self.addCleanup(connection.close)
        connection.executescript(text)
        return connection

    def script(self, profile, *words):
        return self.schemactl(
            "plan", "--from", "dump.sql", "--to", "schema.sql", "--profile", profile, "--format", "sql", *words
        )

    def contents(self, connection):
        names = [
            row[0]
            for row in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_schemakit_*' "
                "AND name NOT GLOB 'sqlite_*' ORDER BY name"
            )
        ]
        quoted = {name: '"' + name.replace('"', '""') + '"' for name in names}
        return {name: sorted(connection.execute(f"SELECT * FROM {quoted[name]}").fetchall(), key=repr) for name in names}


class LossTests(ScriptCase):
    def each(self):
        for title, (dump, (old, new), table, columns) in LOSSES.items():
            with self.subTest(title):
                self.write("dump.sql", dump)
                schema = "\n".join(line for line in dump.splitlines() if "INSERT" not in line)
                self.assertIn(old, schema)
                self.write("schema.sql", schema.replace(old, new))
                yield dump, schema, (old, new), table, columns

    def test_the_usual_form_loses_children(self):
        for dump, schema, (old, new), table, columns in self.each():
            connection = self.database("usual.db", dump)
            before = self.contents(connection)
            definition = next(line for line in schema.splitlines() if f"TABLE {table} " in line).replace(old, new).strip()
            engines.as_wrangler(
                connection,
                f"PRAGMA foreign_keys=OFF;\n{definition.replace(table, 'new_table', 1)}\n"
                f"INSERT INTO new_table ({columns}) SELECT {columns} FROM {table};\nDROP TABLE {table};\n"
                f"ALTER TABLE new_table RENAME TO {table};\nPRAGMA foreign_keys=ON;\n",
            )
            after = self.contents(connection)
            self.assertNotEqual({k: v for k, v in before.items() if k != table}, {k: v for k, v in after.items() if k != table})
            connection.close()

    def test_no_script_loses_a_row_in_any_way_of_running_it(self):
        for dump, *_ in self.each():
            for profile, ways in engines.WAYS.items():
                script = self.script(profile)
                for way in ways:
                    with self.subTest(way=way.__name__):
                        connection = self.database("ours.db", dump)
                        before = self.contents(connection)
                        way(connection, script)
                        after = self.contents(connection)
                        # A number that was a text is written in the same way.
                        texts = lambda tables: {k: [[str(v) for v in row] for row in rows] for k, rows in tables.items()}
                        self.assertEqual(texts(after), texts(before))
                        self.assertEqual(connection.execute("PRAGMA foreign_key_check").fetchall(), [])
                        self.assertEqual(connection.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
                        connection.close()
                        self.schemactl("check", "ours.db", "--to", "schema.sql")
                        self.assertIn(f"script for {profile}", self.schemactl("history", "ours.db"))
                        self.schemactl("undo", "ours.db", "--yes")

    def test_a_script_changes_nothing_where_each_statement_is_a_transaction(self):
        for dump, *_ in self.each():
            for profile in ["d1", "rqlite", "in-transaction"]:
                connection = self.database("single.db", dump)
                before = connection.iterdump()
                before = list(before)
                connection.execute("PRAGMA foreign_keys = ON")
                with self.assertRaisesRegex(sqlite3.OperationalError, "does not run as one transaction"):
                    for statement in engines.statements(self.script(profile)):
                        connection.execute(statement)
                self.assertEqual(list(connection.iterdump()), before)
                connection.close()

    def test_a_script_stops_where_the_database_is_not_as_its_dump(self):
        changes = {
            "ALTER TABLE users ADD COLUMN extra": "users is not as it was when the plan was made",
            "INSERT INTO users VALUES (3, NULL)": "SK104",
            "INSERT INTO users VALUES (3, 'bob@example.org')": "SK105",
            "PRAGMA foreign_keys = OFF; INSERT INTO posts VALUES (13, 9, 'nobody')": "rows of posts refer to no row",
        }
        dump, (old, new), *_ = next(iter(LOSSES.values()))
        self.write("dump.sql", dump)
        self.write("schema.sql", "\n".join(line for line in dump.splitlines() if "INSERT" not in line).replace(old, new))
        for change, message in changes.items():
            for profile, ways in engines.WAYS.items():
                script = self.script(profile)
                for way in ways:
                    with self.subTest(change=change, way=way.__name__):
                        connection = self.database("changed.db", dump + change)
                        before = list(connection.iterdump())
                        with self.assertRaisesRegex(sqlite3.OperationalError, message):
                            way(connection, script)
                        self.assertEqual(list(connection.iterdump()), before)
                        connection.close()

    def test_a_script_stops_at_rows_that_came_since_and_would_lose_something(self):
        dump = """
            CREATE TABLE old (x);
            CREATE TABLE users (id INTEGER PRIMARY KEY, age TEXT, fax TEXT);
            INSERT INTO users VALUES (1, '36', NULL);
            """
        self.write("dump.sql", dump)
        self.write("schema.sql", "CREATE TABLE users (id INTEGER PRIMARY KEY, age INTEGER);")
        script = self.script("d1")
        for change, message in {
            "INSERT INTO old VALUES (5)": "SK101 .*old",
            "INSERT INTO users VALUES (2, '1', '555')": "SK102 .*users.fax",
            "INSERT INTO users VALUES (2, '007', NULL)": "SK103 .*users.age",
        }.items():
            connection = self.database("newer.db", dump + change)
            before = list(connection.iterdump())
            with self.assertRaisesRegex(sqlite3.OperationalError, message):
                engines.as_wrangler(connection, script)
            self.assertEqual(list(connection.iterdump()), before)
            connection.close()
        connection = self.database("same.db", dump)
        engines.as_wrangler(connection, script)
        self.assertEqual(self.contents(connection), {"users": [(1, 36)]})

    def stops(self, before, new, changes, profile="d1", options=()):
        """Changes come after the plan: the script must stop at each, and change nothing."""
        self.write("dump.sql", before)
        self.write("schema.sql", new)
        script = self.script(profile, *options)
        self.assertIn("PRAGMA defer_foreign_keys=ON;\n", script)
        for change, message in changes.items():
            for way in engines.WAYS[profile]:
                with self.subTest(change=change, way=way.__name__):
                    connection = self.database("since.db", before + change)
                    dump = list(connection.iterdump())
                    with self.assertRaisesRegex(sqlite3.OperationalError, message):
                        way(connection, script)
                    self.assertEqual(list(connection.iterdump()), dump)
                    connection.close()

    def test_a_script_stops_at_tables_and_keys_that_refer_to_its_table_since(self):
        new_child = "CREATE TABLE c2 (id INTEGER PRIMARY KEY, p REFERENCES p ON DELETE CASCADE); INSERT INTO c2 VALUES (1, 1);"
        parent = "CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT);"
        changed = parent.replace("name TEXT", "name TEXT NOT NULL")
        rows = "INSERT INTO p VALUES (1, 'x');"
        for child in ["", "REFERENCES p", "REFERENCES p ON DELETE CASCADE", "REFERENCES p ON DELETE CASCADE ON UPDATE CASCADE"]:
            table = f"CREATE TABLE c (id INTEGER PRIMARY KEY, p {child}, note TEXT);"
            own = rows + "INSERT INTO c VALUES (1, 1, 'n');"
            remade = table.replace("note TEXT", "note TEXT, more TEXT")
            changes = {new_child: "foreign keys that refer to p"}
            if child:
                changes |= {
                    "ALTER TABLE c ADD COLUMN secret": "c is not as it was",
                    "CREATE TRIGGER t AFTER UPDATE ON C BEGIN DELETE FROM p; END": "c is not as it was",
                    f"DROP TABLE c; {remade} INSERT INTO c VALUES (1, 1, 'n', 'm');": "c is not as it was",
                    "CREATE TRIGGER t AFTER DELETE ON P BEGIN DELETE FROM c; END": "p is not as it was",
                }
            for profile in engines.WAYS:
                self.stops(parent + table + own, changed + table, changes, profile)
        self.stops(parent + rows, "CREATE TABLE other (x);", {new_child: "foreign keys that refer to p"}, options=["--allow", "SK101"])

    def test_a_trigger_written_with_another_case_does_not_stop_the_script(self):
        dump = "CREATE TABLE p (id INTEGER PRIMARY KEY, a TEXT); CREATE TRIGGER t AFTER INSERT ON P BEGIN SELECT 1; END;"
        self.write("dump.sql", dump)
        self.write("schema.sql", dump.replace("a TEXT", "a TEXT UNIQUE"))
        connection = self.database("case.db", dump)
        engines.as_wrangler(connection, self.script("d1"))
        self.schemactl("check", "case.db", "--to", "schema.sql")

    def test_a_script_stops_where_the_history_went_on(self):
        connection = self.database("history.db", "CREATE TABLE t (a);")
        connection.close()
        for name, sql in [("one", "CREATE TABLE t (a, b);"), ("two", "CREATE TABLE t (a, c);"), ("three", "CREATE TABLE u (x); CREATE TABLE t (a);")]:
            self.write(f"{name}.sql", sql)
        plan = lambda name: self.schemactl("plan", "history.db", "--to", f"{name}.sql", "--profile", "d1", "--format", "sql")
        first = plan("one")
        self.schemactl("apply", "history.db", "--to", "three.sql", "--yes")
        with self.assertRaisesRegex(sqlite3.OperationalError, "a history that was not there"):
            engines.as_wrangler(sqlite3.connect(self.folder / "history.db", isolation_level=None), first)
        second = plan("three").replace("-- Nothing to do.", "")
        self.write("three.sql", "CREATE TABLE u (x, y); CREATE TABLE t (a);")
        third = plan("three")
        self.write("four.sql", "CREATE TABLE u (x); CREATE TABLE t (a); CREATE TABLE v (z);")
        self.schemactl("apply", "history.db", "--to", "four.sql", "--yes")
        with self.assertRaisesRegex(sqlite3.OperationalError, "the history has gone on"):
            engines.as_wrangler(sqlite3.connect(self.folder / "history.db", isolation_level=None), third)
        self.assertNotIn("CREATE", second)

    def test_a_newer_database_gets_no_script(self):
        for number, columns in enumerate(["a", "a, b", "a, b, c"]):
            self.write(f"{number}.sql", f"CREATE TABLE t ({columns});")
            self.schemactl("apply", "newer.db", "--to", f"{number}.sql", "--yes", "--create")
        for words in [[], ["--profile", "d1"]]:
            script = self.schemactl("plan", "newer.db", "--to", "1.sql", "--format", "sql", "--allow", "destructive", *words)
            self.assertIn("The database is newer", script)
            self.assertTrue(all(line.startswith("--") for line in script.splitlines()), script)

    def test_an_additive_script_stops_where_it_is_no_transaction(self):
        self.write("dump.sql", "CREATE TABLE t (a);")
        self.write("schema.sql", "CREATE TABLE t (a, b); CREATE TABLE u (x);")
        connection = self.database("additive.db", "CREATE TABLE t (a);")
        with self.assertRaisesRegex(sqlite3.OperationalError, "does not run as one transaction"):
            for statement in engines.statements(self.script("d1")):
                connection.execute(statement)
        self.assertEqual(self.contents(connection), {"t": []})

    def test_a_dump_that_is_cut_off_is_refused(self):
        self.write("schema.sql", "CREATE TABLE t (a);")
        for dump, message in {
            "BEGIN TRANSACTION;\nCREATE TABLE t (a);\nROLLBACK; -- due to errors\n": "dump.sql:3: the dump is incomplete",
            "BEGIN TRANSACTION;\nCREATE TABLE t (a);\n": "COMMIT is missing",
        }.items():
            self.write("dump.sql", dump)
            run = subprocess.run(
                [SCHEMACTL, "plan", "--from", "dump.sql", "--to", "schema.sql"], cwd=self.folder, capture_output=True, text=True
            )
            self.assertEqual(run.returncode, 1)
            self.assertIn(message, run.stderr)

    def test_a_dump_is_not_left_behind_by_ctrl_c(self):
        rows = "INSERT INTO t SELECT 1 FROM (WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 900000000) SELECT i FROM n)"
        self.write("dump.sql", f"CREATE TABLE t (a); {rows};")
        self.write("schema.sql", "CREATE TABLE t (a);")
        (self.folder / "temporary").mkdir()
        # A shell starts what runs in the background with Ctrl-C ignored.
        for before in [signal.SIG_DFL, signal.SIG_IGN] * 5:
            process = subprocess.Popen(
                [SCHEMACTL, "plan", "--from", "dump.sql", "--to", "schema.sql"], cwd=self.folder,
                env={**os.environ, "TMPDIR": str(self.folder / "temporary")}, stderr=subprocess.PIPE,
                preexec_fn=lambda: signal.signal(signal.SIGINT, before)
            )
            while not list((self.folder / "temporary").glob("*/dump.db")):
                self.assertIsNone(process.poll())
            process.send_signal(signal.SIGINT)
            with self.subTest(before=before):
                try:
                    process.communicate(timeout=60)
                finally:
                    process.kill()
                self.assertEqual(process.returncode, 130)
                self.assertEqual(list((self.folder / "temporary").iterdir()), [])

    def test_without_rows_consent_is_needed_and_the_script_looks_again(self):
        dump = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT);"
        self.write("dump.sql", dump)
        self.write("schema.sql", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL);")
        refused = self.script("d1")
        self.assertNotIn("\nPRAGMA", refused)
        script = self.script("d1", "--allow", "SK102")
        connection = self.database("rows.db", dump + "INSERT INTO t VALUES (1, NULL, 'x')")
        with self.assertRaisesRegex(sqlite3.OperationalError, "SK104 .*t.a. Rows: 1"):
            engines.as_wrangler(connection, script)
        connection.execute("UPDATE t SET a = 'y'")
        engines.as_wrangler(connection, script)
        self.assertEqual(self.contents(connection), {"t": [(1, "y")]})

    def test_a_later_dump_is_checked(self):
        self.write("dump.sql", "CREATE TABLE t (a);")
        self.write("schema.sql", "CREATE TABLE t (a, b);")
        self.schemactl("check", "--from", "dump.sql", "--to", "schema.sql", status=2)
        connection = self.database("later.db", "CREATE TABLE t (a);")
        engines.as_wrangler(connection, self.script("d1"))
        self.write("later.sql", "PRAGMA defer_foreign_keys=TRUE;\n" + "\n".join(connection.iterdump()))
        self.schemactl("check", "--from", "later.sql", "--to", "schema.sql")


class HostileTests(ScriptCase):
    PARTS = ["'", '"', "`", ";", "\n", "\r\n", "--", "/*", "*/", "[", "]", " ", "\\", "$", "\t", "é", ".shell touch broken", "a", "b"]

    def name(self, random):
        return "".join(random.choice(self.PARTS) for _ in range(random.randint(1, 5))) + str(random.randint(0, 99))

    def test_a_script_holds_the_statements_of_its_plan_and_no_other(self):
        seed = int(os.environ.get("SCHEMAKIT_SEED", "20261125"))
        for number in range(seed, seed + int(os.environ.get("SCHEMAKIT_SCRIPTS", "8"))):
            with self.subTest(seed=number):
                self.check(random.Random(number))

    def check(self, random):
        identifier = lambda text: '"' + text.replace('"', '""') + '"'
        literal = lambda text: "'" + text.replace("'", "''") + "'"
        parent, child, key, value, index = (self.name(random) for _ in range(5))
        default = self.name(random)
        if len({name.lower() for name in [parent, child, index]}) < 3 or key.lower() == value.lower():
            return
        children = (
            f"CREATE TABLE {identifier(child)} (id INTEGER PRIMARY KEY, p TEXT REFERENCES {identifier(parent)} ON DELETE CASCADE);\n"
            f"CREATE INDEX {identifier(index)} ON {identifier(child)} (p);\n"
            f"CREATE TRIGGER {identifier('t' + index)} AFTER DELETE ON {identifier(child)} BEGIN SELECT CASE WHEN 1 THEN "
            f"{literal(default)} END; END;\n"
        )
        table = f"CREATE TABLE {identifier(parent)} ({identifier(key)} TEXT PRIMARY KEY, {identifier(value)} TEXT DEFAULT "
        rows = (
            f"INSERT INTO {identifier(parent)} VALUES ({literal(default)}, {literal(value)}), ('k', 'v');\n"
            f"INSERT INTO {identifier(child)} VALUES (1, 'k'), (2, {literal(default)});\n"
        )
        new = table + f"{literal(default)} NOT NULL CHECK ({identifier(value)} <> {literal(parent)}));\n" + children
        dump = table + "'x');\n" + children + rows
        (self.folder / "dump.sql").write_bytes(dump.encode())
        (self.folder / "schema.sql").write_bytes(new.encode())
        for profile, ways in engines.WAYS.items():
            words = ["plan", "--from", "dump.sql", "--to", "schema.sql", "--profile", profile]
            plan = json.loads(self.schemactl(*words, "--format", "json"))
            script = subprocess.run(
                [SCHEMACTL, *words, "--format", "sql"], cwd=self.folder, capture_output=True, check=True
            ).stdout.decode()
            planned = [s["sql"].rstrip() for step in plan["steps"] for s in step["statements"] if s["role"] != "verification"]
            found = [self.bare(statement) for statement in engines.statements(script)]
            own = [s for s in found if not self.is_ours(s)]
            self.assertEqual(own, planned)
            for way in ways:
                connection = self.database("hostile.db", dump)
                before = self.contents(connection)
                way(connection, script)
                self.assertEqual(self.contents(connection), before)
                connection.close()
                self.schemactl("check", "hostile.db", "--to", "schema.sql")
            # The shell takes a carriage return off the end of each line.
            if "\r\n" in script:
                continue
            framed = script if "\nCOMMIT;" in script else f"BEGIN;\n{script}COMMIT;\n"
            self.database("shell.db", dump).close()
            self.run_command("sqlite3", "-bail", "-cmd", "PRAGMA foreign_keys=ON", "shell.db", text=framed)
            self.schemactl("check", "shell.db", "--to", "schema.sql")
            self.assertFalse((self.folder / "broken").exists())

    def bare(self, statement):
        """A statement without the comments before it and the semicolon."""
        lines = statement.strip().split("\n")
        while lines and lines[0].startswith("--"):
            lines.pop(0)
        return "\n".join(lines).strip().removesuffix(";").rstrip()

    def is_ours(self, statement):
        return (
            statement.startswith(("PRAGMA ", "SELECT CASE WHEN ", 'SELECT count(*) FROM "main".sqlite_master'))
            or statement in {"BEGIN IMMEDIATE", "COMMIT"}
            or " main._schemakit_" in statement.split("(")[0].split("SET")[0]
        )


if __name__ == "__main__":
    unittest.main(verbosity=2)
