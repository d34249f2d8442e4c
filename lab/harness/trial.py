"""One file of one program: what schemactl says of it, and what becomes of it under each change."""
import json
import os
import shutil
import subprocess
import sys

from . import schema
from .content import Content, opened, texts

READER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("BEGIN")
connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
print("ready", flush=True)
sys.stdin.readline()
connection.execute("COMMIT")
print(connection.execute("SELECT count(*) FROM sqlite_master WHERE sql LIKE '%lab_%'").fetchone()[0], flush=True)
"""


class Otherwise(Exception):
    """Something is not as expected; `refusal` is what schemactl said, if it was that."""

    def __init__(self, message, refusal=None):
        super().__init__(message)
        self.refusal = refusal


class Trial:
    def __init__(self, program, file, schemactl, log):
        self.program, self.file, self.binary, self.log = program, file, schemactl, log
        self.path = program.work / file["path"]
        self.engine, self.options = self.words("engine"), self.words("options")
        self.inspected = program.results / f"{program.name}.{self.path.name}.sql"

    def words(self, field):
        """Options of the file's declaration: of every command, or of those that take a schema."""
        return [word.format(program=self.program.installed) for word in self.file.get(field, [])]

    # Running things.

    def schemactl(self, *arguments, codes=(0,)):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("SCHEMACTL_")}
        command = [str(self.binary), *map(str, arguments), *self.engine]
        ran = subprocess.run(
            [*command, "--config", "none"], cwd=self.program.work, env=environment, capture_output=True, timeout=900
        )
        output, errors = ran.stdout.decode("utf-8", "replace"), ran.stderr.decode("utf-8", "replace")
        self.log.write(f"$ {' '.join(command)}\n{output[:20000]}{errors}exit code {ran.returncode}\n")
        if ran.returncode not in codes:
            refusal = self.refusal(ran.returncode, output, errors)
            sentence = refusal["sentence"] or "nothing"
            raise Otherwise(f"schemactl {arguments[0]} exits with {ran.returncode}: {sentence}", refusal)
        return ran.returncode, output

    @staticmethod
    def refusal(exit_code, output, errors):
        """The exit code, the codes of the hazards that stand against the change, and the first sentence."""
        told = [line.removeprefix("schemactl: ") for line in errors.splitlines() if line.startswith("schemactl: ")]
        told = [line for line in told if not line.startswith(("note:", "warning:")) and not line.endswith(" so far")]
        try:
            hazards = [hazard for hazard in json.loads(output)["hazards"] if not hazard["consented"]]
        except (ValueError, KeyError, TypeError):
            hazards = []
        sentences = told or [hazard["message"] for hazard in hazards]
        codes = sorted({hazard["code"] for hazard in hazards})
        return {"exit": exit_code, "codes": codes, "sentence": sentences[0] if sentences else errors.strip()[:300]}

    def use(self, when):
        ran = self.program.script("use.sh", self.log)
        if ran != 0:
            raise Otherwise(f"the program does not work with its file {when}: use.sh exits with {ran}")

    def content(self):
        return Content(self.path, self.file.get("collations", []))

    def anew(self):
        """The files as the program made them."""
        shutil.rmtree(self.program.work, ignore_errors=True)
        shutil.copytree(self.program.made, self.program.work, symlinks=True)
        return self.content()

    def same(self, before, after, when, exactly=False):
        told = before.differences(after, exactly)
        if told:
            raise Otherwise(f"{when}: {told[0]}" + (f", and {len(told) - 1} more" if len(told) > 1 else ""))

    def target(self, sql, name):
        path = self.program.results / f"{self.program.name}.{self.path.name}.{name}.sql"
        path.write_text(sql)
        return path

    # What is done with the file.

    def look(self):
        """Reads the file, and finds that it has its own schema."""
        self.anew()
        self.use("as it was made")
        before = self.anew()
        self.inspected.write_text(self.schemactl("inspect", self.path)[1])
        for to in (self.inspected, self.program.made / self.file["path"]):
            self.schemactl("check", self.path, "--to", to, *self.options)
            self.schemactl("plan", self.path, "--to", to, "--exit-code", *self.options)
        self.same(before, self.content(), "after inspect, check and plan", exactly=True)
        self.sql = self.inspected.read_text()
        self.tables = self.edited_tables(before)
        with opened(self.path) as connection:
            self.waits = texts(connection, "PRAGMA journal_mode") != [("wal",)]
        sizes = {name: len(rows) for name, rows in before.rows.items()}
        order = sorted(self.tables, key=lambda name: (-sizes[name], name))
        self.largest = {name: self.tables[name] for name in order[:3]}
        apart = self.file.get("positional", [])
        self.widened = {name: self.tables[name] for name in [name for name in order if name not in apart][:3]}
        self.filled = [name for name in self.widened if sizes[name] > 0]
        self.facts = {"tables": len(before.columns), "rows": sum(sizes.values()), "unread": sorted(before.unread)}
        return f"edits go to {', '.join(f'{name} ({sizes[name]})' for name in self.widened or self.largest)}"

    def edited_tables(self, content):
        """Each table that the schema has and that is not the program's virtual table or part of one, with a column to work on."""
        declared = schema.closing_parentheses(self.sql)
        with opened(self.path) as connection:
            kinds = dict(texts(connection, "SELECT name, type FROM pragma_table_list WHERE schema = 'main'"))
        alone = self.file.get("leave", [])
        tables = {}
        for name, columns in content.columns.items():
            if name in declared and kinds.get(name) == "table" and name not in alone and name in content.rows:
                ordinary = [column for column, facts in columns.items() if facts[4] == 0]
                others = [column for column in ordinary if columns[column][3] == 0]
                if ordinary:
                    tables[name] = (others or ordinary)[0]
        return tables

    def findings(self, command):
        """lint and doctor find what the program's folder expects, object by object, and nothing else."""
        self.anew()
        output = self.schemactl(command, self.path, "--format", "json", codes=(0, 2))[1]
        found = {}
        for finding in json.loads(output)["findings"]:
            found.setdefault(finding["code"], []).append(finding.get("object", ""))
        if command == "doctor":
            known = {expected["code"] for expected in self.file.get("lint", [])}
            found = {code: objects for code, objects in found.items() if code.startswith("SD") or code not in known}
        told = []
        expected = {item["code"]: item for item in self.file.get(command, [])}
        for code in sorted(found.keys() | expected.keys()):
            wanted, objects = expected.get(code, {}), sorted(found.get(code, []))
            if "count" in wanted and wanted["count"] != len(objects):
                told.append(f"{code}: {len(objects)} findings, {wanted['count']} expected")
            elif "count" not in wanted and sorted(wanted.get("objects", [])) != objects:
                told.append(f"{code}: {objects}, expected {wanted.get('objects', [])}")
        if told:
            raise Otherwise("; ".join(told))
        return "finds " + (", ".join(f"{code} ({len(found[code])})" for code in sorted(found)) or "nothing")

    def apply(self, to, *options, codes=(0,)):
        return self.schemactl("apply", self.path, "--to", to, "--yes", "--format", "json", *options, *self.options, codes=codes)

    def change(self, edits, copies=(), strategies=(), options=(), consent=(), during=None):
        """Edits the schema in stages; after each, and after each is undone, everything is as before and the program works.

        The tables in `copies` must be changed by one of the strategies. What happens `during` the change tells what was there before it,
        with what the program has written meanwhile."""
        self.anew()
        schemas = [self.sql, *edits]
        for stage, edit in enumerate(edits, 1):
            before = self.content()
            to = self.target(edit, "target")
            answer = json.loads(self.schemactl("plan", self.path, "--to", to, "--format", "json", *options, *self.options)[1])
            copied = {step["object"] for step in answer["steps"] if step["strategy"] in strategies}
            if left := sorted(set(copies) - copied):
                raise Otherwise(f"not copied: {', '.join(left)}")
            if during:
                before = during(to, before, options)
            else:
                self.apply(to, *options)
            self.reached(before, edit, f"after change {stage}")
        for stage in reversed(range(len(edits))):
            before = self.content()
            allowed = [word for code in consent for word in ("--allow", code)]
            self.schemactl("undo", self.path, "--yes", "--no-backup", "--format", "json", *allowed)
            self.reached(before, schemas[stage], f"after undo of change {stage + 1}")

    def reached(self, before, sql, when):
        """The file has a schema, and otherwise what it had before; the program works with it."""
        after = self.content()
        self.same(self.narrowed(before), after if sql == self.sql else self.without_notes(after), when, exactly=sql == self.sql)
        self.schemactl("check", self.path, "--to", self.target(sql, "reached"), *self.options)
        self.use(when)

    @staticmethod
    def without_notes(content):
        """A program that runs ANALYZE notes the indexes of the edit as well, and these notes go with them."""
        for table in content.rows.keys() & {"sqlite_stat1", "sqlite_stat4"}:
            content.rows[table] = [row for row in content.rows[table] if not bytes(row[1]["idx"][0] or b"").startswith(b"lab_")]
        return content

    @classmethod
    def narrowed(cls, content):
        """The content without what the edits of this laboratory add."""
        content.objects = {(kind, name) for kind, name in content.objects if not name.startswith("lab_")}
        content.columns = {
            table: {name: facts for name, facts in columns.items() if not name.startswith("lab_")}
            for table, columns in content.columns.items()
        }
        content.rows = {
            table: [(row, {name: value for name, value in values.items() if not name.startswith("lab_")}) for row, values in rows]
            for table, rows in content.rows.items()
        }
        return cls.without_notes(content)

    def edited(self):
        """Columns and indexes for the largest tables, or a CHECK where the program stands no column more anywhere."""
        return schema.with_columns(self.sql, self.widened) if self.widened else schema.with_checks(self.sql, self.largest)

    def columns(self):
        self.change([self.edited(), self.sql])

    def rules(self):
        self.change([schema.with_rules(self.sql, self.largest, self.widened)])

    def copies(self):
        consent = [f"SK102:{schema.quoted(table)}.lab_made" for table in self.widened]
        edit = schema.with_computed_default(self.sql, self.widened)
        self.change([edit], copies=self.filled, strategies=("rebuild", "swap"), consent=consent)

    def rebuild(self):
        edit = schema.with_checks(self.sql, self.tables)
        self.change([edit], copies=self.tables, strategies=("rebuild",), options=("--strategy", "rebuild"))
        return f"{len(self.tables)} tables"

    def beside_reader(self):
        """Another process holds a read transaction: with WAL the change goes through, else it says that it waits for that."""
        def during(to, before, options):
            reader = subprocess.Popen(
                [sys.executable, "-c", READER, str(self.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
            try:
                reader.stdout.readline()
                if self.waits:
                    self.apply(to, *options, "--lock-timeout", "1", codes=(5,))
                    self.same(before, self.content(), "after a change that was refused for a lock", exactly=True)
                else:
                    self.apply(to, *options)
                seen = reader.communicate("go on\n", timeout=60)[0].strip()
            finally:
                reader.kill()
            if self.waits:
                self.apply(to, *options)
            elif seen == "0":
                raise Otherwise("the reader does not see the change")
            return before

        self.change([self.edited()], during=during)
        return "exit code 5 while a reader holds the file, then done" if self.waits else "done while a reader holds the file"

    def beside_program(self):
        """running.sh has the program open the file and say `ready`; told to go on after the change, it uses the file again."""
        busy = self.file.get("running_exit", 0)

        def during(to, before, options):
            with self.program.started("running.sh", self.log) as running:
                if running.stdout.readline().strip() != "ready":
                    raise Otherwise("running.sh does not get ready")
                if not busy:
                    before = self.content()
                self.apply(to, *options, "--lock-timeout", "2", codes=(busy,))
                if not busy:
                    self.same(before, self.content(), "while the program runs")
                running.communicate("go on\n", timeout=300)
                if running.returncode != 0:
                    raise Otherwise(f"the program that was running does not go on: running.sh exits with {running.returncode}")
            before = self.content()
            if busy:
                self.apply(to, *options)
            return before

        self.change([self.edited()], during=during)
        return f"exit code {busy} while the program runs, then done" if busy else "done while the program runs"

    def positional(self):
        """The program writes rows of these tables without naming columns: it fails where there is one more, unless that is undone."""
        for table in self.file["positional"]:
            for undone in (False, True):
                before = self.anew()
                self.apply(self.target(schema.with_columns(self.sql, {table: self.tables[table]}), "target"))
                self.same(before, self.content(), f"with a column more in {table}")
                if undone:
                    self.schemactl("undo", self.path, "--yes", "--no-backup")
                    self.use(f"after the column in {table} is undone")
                elif self.program.script("use.sh", self.log) == 0:
                    raise Otherwise(f"the program writes {table} although it has a column more")
        return f"undo brings the program back: {', '.join(self.file['positional'])}"

    def steps(self):
        yield "look", self.look
        yield "lint", lambda: self.findings("lint")
        yield "doctor", lambda: self.findings("doctor")
        yield "columns", self.columns
        yield "rules", self.rules
        if self.widened:
            yield "copies", self.copies
        yield "rebuild", self.rebuild
        if "positional" in self.file:
            yield "positional", self.positional
        yield "reader", self.beside_reader
        if (self.program.folder / "running.sh").exists() and self.file.get("running", True):
            yield "running", self.beside_program
