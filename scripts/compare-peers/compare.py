"""Gives one column another type with several tools, each on the same file, and prints what is left of the rest.

Usage: compare.py SCHEMACTL FOLDER [TOOL]   (with TOOL, FOLDER is a file, which that tool changes)
"""

import pathlib
import sqlite3
import subprocess
import sys
import warnings

SCHEMA = """
CREATE TABLE author (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL COLLATE NOCASE, born TEXT, CHECK (name <> ''));
CREATE TABLE book (
  id INTEGER PRIMARY KEY, author INTEGER NOT NULL REFERENCES author (id) ON DELETE CASCADE, title TEXT);
CREATE TABLE log (message TEXT);
CREATE INDEX author_by_name ON author (name DESC);
CREATE TRIGGER author_logged AFTER INSERT ON author BEGIN INSERT INTO log VALUES (new.name); END;
"""
VIEW = "CREATE VIEW names AS SELECT name FROM author;"
ROWS = """
INSERT INTO author VALUES (1, 'Ada', '1815'), (2, 'Alan', 'x12'), (9, 'Bo', NULL);
DELETE FROM author WHERE id = 9;
INSERT INTO book VALUES (1, 1, 'Notes'), (2, 2, 'On numbers'), (3, 2, 'More');
"""


def make(path, has_view):
    path.unlink(missing_ok=True)
    with sqlite3.connect(path) as connection:
        connection.executescript(SCHEMA + (VIEW if has_view else "") + ROWS)


def schemactl(path):
    declared = path.with_suffix(".sql")
    with sqlite3.connect(path) as connection:
        statements = [row[0] for row in connection.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")]
    statements = [statement for statement in statements if "sqlite_sequence" not in statement]
    declared.write_text(";\n".join(statements).replace("born TEXT", "born INTEGER") + ";\n")
    command = [sys.argv[1], "apply", path, "--to", declared, "--yes", "--quiet", "--no-backup"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def sqlite_utils(path):
    import sqlite_utils

    database = sqlite_utils.Database(path)
    database.execute("PRAGMA foreign_keys = ON")
    database["author"].transform(types={"born": int})
    database.close()


def alembic(path):
    import sqlalchemy
    from alembic.migration import MigrationContext
    from alembic.operations import Operations

    engine = sqlalchemy.create_engine(f"sqlite:///{path}")

    @sqlalchemy.event.listens_for(engine, "connect")
    def set_pragma(connection, record):
        connection.execute("PRAGMA foreign_keys = ON")

    warnings.simplefilter("ignore")
    with engine.begin() as connection:
        operations = Operations(MigrationContext.configure(connection))
        with operations.batch_alter_table("author") as batch:
            batch.alter_column("born", type_=sqlalchemy.Integer())
    engine.dispose()


def django(path):
    import django
    from django.conf import settings

    settings.configure(
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": path}}, INSTALLED_APPS=[]
    )
    django.setup()
    from django.db import connection, models

    class Author(models.Model):
        id = models.AutoField(primary_key=True)
        name = models.TextField(db_collation="NOCASE")
        born = models.TextField(null=True)

        class Meta:
            app_label = "compare"
            db_table = "author"
            indexes = [models.Index(fields=["-name"], name="author_by_name")]
            constraints = [models.CheckConstraint(condition=~models.Q(name=""), name="named")]

    born = models.IntegerField(null=True)
    born.set_attributes_from_name("born")
    born.model = Author
    with connection.schema_editor() as editor:
        editor.alter_field(Author, Author._meta.get_field("born"), born)


def findings(path):
    with sqlite3.connect(path) as connection:

        def one(sql):
            row = connection.execute(sql).fetchone()
            return row[0] if row else None

        table = one("SELECT sql FROM sqlite_schema WHERE name = 'author'")
        index = one("SELECT sql FROM sqlite_schema WHERE name = 'author_by_name'") or ""
        trigger = one("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'")
        return {
            "rows of the child": one("SELECT count(*) FROM book"),
            "the text 'x12'": repr(one("SELECT born FROM author WHERE id = 2")),
            "trigger": "kept" if trigger else "gone",
            "CHECK": "kept" if "CHECK" in table else "gone",
            "COLLATE NOCASE": "kept" if "NOCASE" in table else "gone",
            "DESC in the index": "kept" if "DESC" in index else "gone",
            "next key (10)": (one("SELECT seq FROM sqlite_sequence WHERE name = 'author'") or 2) + 1,
        }


TOOLS = {"schemactl": schemactl, "Alembic": alembic, "Django": django, "sqlite-utils": sqlite_utils}


def changed(name, path, has_view):
    """Whether the tool made the change; in a process of its own, as a user runs it."""
    make(path, has_view)
    command = [sys.executable, __file__, sys.argv[1], path, name]
    return subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0


def main():
    folder = pathlib.Path(sys.argv[2])
    results = {}
    for name in TOOLS:
        path = folder / f"{name}.db"
        view = "works" if changed(name, path, has_view=True) else "stops the change"
        if view != "works" and not changed(name, path, has_view=False):
            sys.exit(f"compare: {name} fails without a view as well")
        results[name] = {"a view on the table": view} | findings(path)
    print("| | " + " | ".join(results) + " |")
    print("| --- |" + " --- |" * len(results))
    for fact in results["schemactl"]:
        print(f"| {fact} | " + " | ".join(str(result[fact]) for result in results.values()) + " |")


if len(sys.argv) == 4:
    TOOLS[sys.argv[3]](pathlib.Path(sys.argv[2]))
else:
    main()
