"""Lets the real Alembic, Django and sqlite-utils work on files that schemactl manages, as docs/coexistence.md says.

Usage: test_neighbours.py, with SCHEMACTL naming the program.
"""

import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMACTL = os.environ["SCHEMACTL"]
TOOLS = pathlib.Path(sys.executable).parent


def recipe(name):
    text = (ROOT / "docs" / "coexistence.md").read_text()
    return re.search(rf"^```\w+ {re.escape(name)}\n(.*?)^```$", text, re.M | re.S)[1]


class NeighbourTests(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="schemactl-neighbours-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def run_command(self, *words, status=0):
        environment = {**os.environ, "PATH": f"{TOOLS}:{os.environ['PATH']}", "PYTHONDONTWRITEBYTECODE": "1"}
        run = subprocess.run(words, cwd=self.folder, env=environment, capture_output=True, text=True)
        self.assertEqual(run.returncode, status, f"{words}: {run.stdout}{run.stderr}")
        return run.stdout

    def schemactl(self, *words, status=0):
        return self.run_command(SCHEMACTL, *words, status=status)

    def query(self, sql, name="app.db"):
        connection = sqlite3.connect(self.folder / name)
        try:
            with connection:
                return connection.execute(sql).fetchall()
        finally:
            connection.close()

    def change(self, name, old, new):
        """Adopts the file, and changes its schema."""
        schema = self.schemactl("inspect", name)
        self.assertIn(old, schema)
        (self.folder / "schema.sql").write_text(schema.replace(old, new))
        self.schemactl("apply", name, "--to", "schema.sql", "--yes")

    def in_sync(self, name="app.db"):
        self.schemactl("check", name, "--to", "schema.sql")
        self.schemactl("doctor", name)
        return self.schemactl("history", name)

    # Alembic

    MODELS = '''
from sqlalchemy import Column, Integer, String
from sqlalchemy.orm import declarative_base

Base = declarative_base()


class Note(Base):
    __tablename__ = "note"
    id = Column(Integer, primary_key=True)
    title = Column(String(100), nullable=NULLABLE)
'''

    def alembic_project(self):
        self.run_command("alembic", "init", "steps")
        settings = self.folder / "alembic.ini"
        settings.write_text(re.sub(r"sqlalchemy.url = .*", "sqlalchemy.url = sqlite:///app.db", settings.read_text()))
        self.models("True")
        env = self.folder / "steps" / "env.py"
        env.write_text(
            env.read_text().replace("target_metadata = None", "from models import Base\ntarget_metadata = Base.metadata")
        )
        self.autogenerate("first")
        self.run_command("alembic", "upgrade", "head")
        self.query("INSERT INTO note VALUES (1, 'a'), (2, NULL)")
        self.change("app.db", "title VARCHAR(100)", "title VARCHAR(100) NOT NULL DEFAULT ''")
        self.models("False")
        return env

    def models(self, nullable):
        (self.folder / "models.py").write_text(self.MODELS.replace("NULLABLE", nullable))

    def autogenerate(self, name):
        self.run_command("alembic", "revision", "--autogenerate", "-m", name)
        (made,) = (self.folder / "steps" / "versions").glob(f"*_{name}.py")
        return made.read_text()

    def test_without_the_recipe_alembic_would_drop_the_history(self):
        self.alembic_project()
        self.assertIn("op.drop_table('_schemakit_history')", self.autogenerate("second"))

    def test_with_the_recipe_alembic_finds_nothing_to_do(self):
        env = self.alembic_project()
        text = env.read_text().replace("def run_migrations_offline", recipe("env.py") + "\n\ndef run_migrations_offline", 1)
        changed = text.replace(
            "target_metadata=target_metadata", "target_metadata=target_metadata, include_name=include_name"
        )
        self.assertEqual(changed.count("include_name=include_name"), 2)
        env.write_text(changed)
        made = self.autogenerate("second")
        self.assertNotIn("_schemakit", made)
        self.assertEqual(re.findall(r"^    op\.", made, re.M), [])
        self.run_command("alembic", "upgrade", "head")
        self.assertEqual(self.query("SELECT * FROM note"), [(1, "a"), (2, "")])
        self.schemactl("check", "app.db", "--to", "schema.sql", "--ignore", "alembic_version")
        self.schemactl("undo", "app.db", "--yes")
        self.assertEqual(self.query("SELECT * FROM note"), [(1, "a"), (2, None)])

    # Django

    ORDER = '''
from django.db import models


class Order(models.Model):
    customer = models.CharField(max_length=100)
    note = models.CharField(max_length=200, NOTE)
'''

    def django_project(self):
        self.run_command("django-admin", "startproject", "site1", ".")
        self.run_command("python", "manage.py", "startapp", "shop")
        settings = self.folder / "site1" / "settings.py"
        settings.write_text(settings.read_text() + "\nINSTALLED_APPS.append('shop')\n")
        self.order("null=True")
        self.run_command("python", "manage.py", "makemigrations")
        self.run_command("python", "manage.py", "migrate")
        self.query("INSERT INTO shop_order VALUES (1, 'Ada', NULL), (2, 'Bob', 'gift')", "db.sqlite3")
        self.change("db.sqlite3", '"note" varchar(200) NULL', "\"note\" varchar(200) NOT NULL DEFAULT ''")

    def order(self, note):
        (self.folder / "shop" / "models.py").write_text(self.ORDER.replace("NOTE", note))

    def test_django_follows_a_change_of_schemactl(self):
        self.django_project()
        self.assertIn("No changes", self.run_command("python", "manage.py", "makemigrations", "--check"))
        self.order("default='', db_default=''")
        self.run_command("bash", "-ec", recipe("fake"))
        self.assertIn("No changes", self.run_command("python", "manage.py", "makemigrations", "--check"))
        self.in_sync("db.sqlite3")
        self.assertEqual(
            self.query("SELECT * FROM shop_order", "db.sqlite3"), [(1, "Ada", ""), (2, "Bob", "gift")]
        )
        # Django still works on the table.
        self.run_command(
            "python", "manage.py", "shell", "-c",
            "from shop.models import Order; Order.objects.create(customer='Eve'); assert Order.objects.count() == 3",
        )

    def test_inspectdb_lists_our_tables_without_the_recipe_only(self):
        self.django_project()
        self.assertIn("class SchemakitHistory", self.run_command("python", "manage.py", "inspectdb"))
        listed = self.run_command("bash", "-ec", recipe("inspectdb"))
        self.assertNotIn("Schemakit", listed)
        self.assertIn("class ShopOrder", listed)

    def test_a_migration_of_djangos_leaves_the_history_and_check_tells_of_it(self):
        self.django_project()
        self.order("default='', db_default='x', db_index=True")
        self.run_command("python", "manage.py", "makemigrations")
        self.run_command("python", "manage.py", "migrate")
        self.schemactl("check", "db.sqlite3", "--to", "schema.sql", status=2)
        self.assertIn("shop_order: column note", self.schemactl("history", "db.sqlite3"))
        (self.folder / "schema.sql").write_text(self.schemactl("inspect", "db.sqlite3"))
        self.in_sync("db.sqlite3")

    # sqlite-utils

    def test_sqlite_utils_leaves_the_history_and_check_tells_what_it_did(self):
        self.query("CREATE TABLE note (id INTEGER PRIMARY KEY, size INTEGER CHECK (size > 0), title TEXT COLLATE NOCASE)")
        self.query("CREATE TRIGGER guard BEFORE DELETE ON note BEGIN SELECT raise(ABORT, 'kept'); END")
        self.query("INSERT INTO note VALUES (1, 2, 'a')")
        self.change("app.db", "title TEXT", "title TEXT NOT NULL")
        self.run_command("sqlite-utils", "transform", "app.db", "note", "--rename", "size", "amount")
        rename = ["--rename", "note.amount=note.size"]
        told = self.schemactl("check", "app.db", "--to", "schema.sql", *rename, status=2)
        for words in ("rename column amount to size", "COLLATE NOCASE", "trigger  guard"):
            self.assertIn(words, re.sub(r"trigger +", "trigger  ", told))
        self.schemactl("apply", "app.db", "--to", "schema.sql", *rename, "--yes")
        self.assertEqual(self.query("SELECT id, size, title FROM note"), [(1, 2, "a")])
        self.assertEqual(len(re.findall(r"^\d+ ", self.in_sync(), re.M)), 2)

    # Copying the WAL

    def test_a_reader_that_holds_the_wal_does_not_stop_a_change_and_a_copy_of_the_wal_has_it(self):
        self.query("PRAGMA journal_mode = WAL")
        self.query("CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT)")
        self.query("INSERT INTO note VALUES (1, 'a'), (2, NULL)")
        reader = sqlite3.connect(self.folder / "app.db", isolation_level=None)
        self.addCleanup(reader.close)
        reader.execute("PRAGMA wal_autocheckpoint = 0")
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM note").fetchall()
        self.change("app.db", "title TEXT", "title TEXT NOT NULL DEFAULT ''")
        # What the reader began with is still there, which it would not be if the WAL had been reset.
        self.assertEqual(reader.execute("SELECT * FROM note").fetchall(), [(1, "a"), (2, None)])
        for suffix in ("", "-wal"):
            shutil.copy(self.folder / f"app.db{suffix}", self.folder / f"replica.db{suffix}")
        reader.execute("COMMIT")
        self.assertEqual(self.query("PRAGMA journal_mode", "replica.db"), [("wal",)])
        self.in_sync("replica.db")
        self.assertEqual(self.query("SELECT * FROM note", "replica.db"), [(1, "a"), (2, "")])


if __name__ == "__main__":
    unittest.main()
