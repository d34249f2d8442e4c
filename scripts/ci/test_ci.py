"""Runs the steps of action.yml and of the examples in docs/ci.md in bash, against a server of files on the loopback.

The release that it serves holds a program that writes down what it is called with, or the one that SCHEMACTL names. Usage:
test_ci.py
"""

import functools
import hashlib
import http.server
import io
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import threading
import unittest
import zipfile

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = "9.9.9"
ARCHIVE = f"schemactl-{VERSION}-linux-x86_64.tar.gz"
WHEEL = f"schemactl-{VERSION}-py3-none-manylinux_2_17_x86_64.musllinux_1_1_x86_64.whl"
PROGRAM = b"""#!/bin/sh
[ "$1" != --version ] || { echo schemactl; exit 0; }
printf '%s\\n' "$#" "$@" > "$CALLS/arguments"
echo '| report |'
"""
HOSTILE = [
    "$(touch pwned)",
    "`touch pwned`",
    "; touch pwned",
    "'; touch pwned; '",
    '"; touch pwned; "',
    "x\ntouch pwned",
    "${IFS}&touch pwned",
    "-x",
    "--output=pwned",
]


def make_release(folder, program=PROGRAM):
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(folder / ARCHIVE, "w:gz") as file:
        info = tarfile.TarInfo(f"schemactl-{VERSION}-linux-x86_64/bin/schemactl")
        info.size, info.mode = len(program), 0o755
        file.addfile(info, io.BytesIO(program))
    with zipfile.ZipFile(folder / WHEEL, "w") as file:
        name = f"schemactl-{VERSION}"
        script = zipfile.ZipInfo(f"{name}.data/scripts/schemactl")
        script.external_attr = 0o100755 << 16
        file.writestr(script, program)
        file.writestr(f"{name}.dist-info/METADATA", f"Metadata-Version: 2.1\nName: schemactl\nVersion: {VERSION}\n")
        file.writestr(f"{name}.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: py3-none-any\n")
        file.writestr(f"{name}.dist-info/RECORD", "")
    sums = [f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in (ARCHIVE, WHEEL)]
    (folder / "SHA256SUMS").write_text("".join(sums))


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Comments(http.server.BaseHTTPRequestHandler):
    """As much of GitHub's interface for comments as the action uses."""

    stored = []
    refuses = False

    def answer(self, value, status=200):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def body(self):
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]

    def do_GET(self):
        page = int(re.search(r"[?&]page=(\d+)", self.path)[1])
        self.answer(self.stored[(page - 1) * 100 : page * 100])

    def do_POST(self):
        body = self.body()
        if self.refuses:
            return self.answer({"message": "Resource not accessible"}, 403)
        assert self.path == "/repos/me/it/issues/7/comments"
        self.stored.append({"id": len(self.stored), "body": body})
        self.answer({}, 201)

    def do_PATCH(self):
        number = int(self.path.removeprefix("/repos/me/it/issues/comments/"))
        self.stored[number]["body"] = self.body()
        self.answer({})

    def log_message(self, *_):
        pass


class CITests(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="schemactl-ci-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.served = self.folder / "served"
        make_release(self.served / f"v{VERSION}")
        self.releases = self.serve(functools.partial(Files, directory=self.served))
        self.work = self.folder / "work"
        self.work.mkdir()
        self.environment = {
            **{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
            "RUNNER_TEMP": str(self.folder),
            "GITHUB_PATH": str(self.folder / "path"),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
            "GITHUB_EVENT_PATH": str(self.folder / "event.json"),
            "GITHUB_REPOSITORY": "me/it",
            "CALLS": str(self.folder),
        }
        self.inputs = {"releases": self.releases, "version": VERSION}

    def serve(self, handler):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}"

    def bash(self, script, environment, folder="."):
        added = self.folder / "path"
        path = ":".join((added.read_text().split() if added.exists() else []) + [self.environment["PATH"]])
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            env={**self.environment, "PATH": path, **environment},
            cwd=self.work / folder,
            capture_output=True,
            text=True,
        )

    # The action

    def steps(self):
        action = yaml.safe_load((ROOT / "action.yml").read_text())
        values = {name: given.get("default", "") for name, given in action["inputs"].items()}
        values.update(self.inputs)
        contexts = {f"inputs.{name}": str(value) for name, value in values.items()}
        contexts |= {"github.action_path": str(ROOT), "runner.temp": str(self.folder), "github.token": "secret"}

        def filled(text):
            return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda match: contexts[match[1]], text)

        for step in action["runs"]["steps"]:
            if "run" in step:
                environment = {name: filled(text) for name, text in step["env"].items()}
                yield step["name"], step["run"], environment, filled(step.get("working-directory", "."))

    def run_step(self, name, **more):
        script, environment, folder = next(step[1:] for step in self.steps() if step[0] == name)
        (self.work / folder).mkdir(parents=True, exist_ok=True)
        return self.bash(script, {**environment, **more}, folder)

    def install(self):
        return self.run_step("Install schemactl")

    def arguments(self):
        # Trailing lines of an argument count too.
        return (self.folder / "arguments").read_text().split("\n")[1:-1]

    def test_no_step_has_an_input_in_its_script(self):
        for name, script, *_ in self.steps():
            self.assertNotIn("${{", script, name)

    def test_the_program_is_downloaded_verified_and_run(self):
        installed = self.install()
        self.assertEqual(installed.returncode, 0, installed.stdout + installed.stderr)
        self.inputs |= {
            "schema": "my schema.sql",
            "migrations": "steps",
            "base": "origin/main",
            "database": "app.db",
            "environment": "production",
            "arguments": "--ignore=tmp *\n\n--strict-order\n",
        }
        run = self.run_step("Run schemactl")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual(
            self.arguments(),
            ["check", "--migrations=steps", "--base=origin/main", "--to=my schema.sql", "--env=production"]
            + ["--ignore=tmp *", "--strict-order", "--format", "github", "--", "app.db"],
        )
        self.assertEqual((self.folder / "summary").read_text(), "| report |\n")

    def test_other_commands(self):
        self.install()
        self.inputs |= {"command": "lint", "schema": "schema.sql", "sarif": "found.sarif", "working-directory": "services/a b"}
        self.assertEqual(self.run_step("Run schemactl").returncode, 0)
        self.assertEqual(
            self.arguments(), ["lint", "--path-prefix=services/a b", "--format", "github", "--", "schema.sql"]
        )
        del self.inputs["working-directory"]
        self.assertTrue((self.work / "services/a b/found.sarif").exists())
        self.inputs |= {"command": "plan", "database": "app.db"}
        self.assertEqual(self.run_step("Run schemactl").returncode, 0)
        self.assertEqual(self.arguments(), ["plan", "--to=schema.sql", "--", "app.db"])
        self.inputs["command"] = "apply"
        self.assertEqual(self.run_step("Run schemactl").returncode, 64)

    def test_a_wrong_checksum_installs_nothing(self):
        archive = self.served / f"v{VERSION}" / ARCHIVE
        archive.write_bytes(archive.read_bytes() + b"x")
        run = self.install()
        self.assertEqual(run.returncode, 1)
        self.assertIn(f"::error::schemactl: {ARCHIVE} does not have the checksum", run.stdout)
        self.assertFalse((self.folder / "schemactl" / "bin").exists())
        self.assertFalse((self.folder / "schemactl" / ARCHIVE).exists())

    def test_a_checksum_that_is_given_counts(self):
        self.inputs["sha256"] = "0" * 64
        self.assertEqual(self.install().returncode, 1)
        self.assertFalse((self.folder / "schemactl" / "bin").exists())

    def test_an_archive_in_the_cache_is_verified_and_not_fetched(self):
        archive = self.served / f"v{VERSION}" / ARCHIVE
        self.inputs["sha256"] = hashlib.sha256(archive.read_bytes()).hexdigest()
        self.assertEqual(self.install().returncode, 0)
        archive.unlink()
        self.assertEqual(self.install().returncode, 0)
        cached = self.folder / "schemactl" / ARCHIVE
        cached.write_bytes(b"x")
        run = self.install()
        self.assertEqual(run.returncode, 1)
        self.assertIn("could not be downloaded", run.stdout)

    def test_a_missing_version_is_named(self):
        self.inputs["version"] = "9.9.8"
        run = self.install()
        self.assertEqual(run.returncode, 1)
        self.assertIn("::error::schemactl: version 9.9.8 could not be downloaded", run.stdout)

    def test_nothing_in_an_input_is_evaluated(self):
        self.assertEqual(self.install().returncode, 0)
        Comments.stored, Comments.refuses = [], False
        api = self.serve(Comments)
        (self.folder / "event.json").write_text(json.dumps({"pull_request": {"number": 7}}))
        names = yaml.safe_load((ROOT / "action.yml").read_text())["inputs"].keys()
        for text in HOSTILE:
            for name in sorted(names):
                self.inputs = {"releases": self.releases, "version": VERSION, name: text}
                for step in ("Install schemactl", "Run schemactl", "Comment on the pull request"):
                    run = self.run_step(step, GITHUB_API_URL=api)
                    # A folder of that name is the test's own.
                    made = [path for path in self.work.rglob("pwned*") if path.is_file()]
                    self.assertEqual(made, [], f"{name} {text} {step}")
                    if name in ("releases", "version", "sha256") and step.startswith("Install"):
                        self.assertEqual(run.returncode, 1, f"{name} {text}")
                shutil.rmtree(self.work)
                self.work.mkdir()

    @unittest.skipUnless("SCHEMACTL" in os.environ, "SCHEMACTL names no program")
    def test_the_program_annotates_files_of_a_repository_of_services(self):
        program = pathlib.Path(os.environ["SCHEMACTL"]).read_bytes()
        make_release(self.served / f"v{VERSION}", program)
        self.assertEqual(self.install().returncode, 0)
        service = self.work / "services" / "a b"
        service.mkdir(parents=True)
        (service / "schema.sql").write_text("CREATE TABLE note (\n  id INTEGER PRIMARY KEY,\n  body TEXT\n);\n")
        sqlite3.connect(service / "app.db").execute("CREATE TABLE note (id INTEGER PRIMARY KEY)").connection.close()
        self.inputs |= {"schema": "schema.sql", "database": "app.db", "working-directory": "services/a b"}
        self.inputs["sarif"] = "found.sarif"
        run = self.run_step("Run schemactl")
        self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
        place = re.match(r"::error file=([^,]*),line=3,col=3,title=SC101", run.stdout)
        self.assertTrue(place and (self.work / place[1]).is_file(), run.stdout)
        self.assertIn("add column body TEXT", (self.folder / "summary").read_text())
        found = json.loads((service / "found.sarif").read_text())["runs"][0]["results"][0]["locations"][0]
        self.assertEqual(found["physicalLocation"]["artifactLocation"]["uri"], "services/a%20b/schema.sql")

    # The comment

    def comment(self, report, **event):
        (self.folder / "event.json").write_text(json.dumps(event))
        (self.folder / "schemactl.md").write_text(report)
        run = self.run_step("Comment on the pull request", GITHUB_API_URL=self.api)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def test_a_report_has_one_comment(self):
        Comments.stored = [{"id": number, "body": "by people"} for number in range(120)]
        Comments.refuses = False
        self.api = self.serve(Comments)
        self.assertIn("not of a pull request", self.comment("one"))
        self.assertEqual(len(Comments.stored), 120)
        self.comment("one", pull_request={"number": 7})
        self.comment("two `$(touch pwned)`", pull_request={"number": 7})
        self.assertEqual(len(Comments.stored), 121)
        self.assertTrue(Comments.stored[-1]["body"].endswith("-->\ntwo `$(touch pwned)`"))
        self.inputs["schema"] = "other.sql"
        self.comment("three", pull_request={"number": 7})
        self.assertEqual(len(Comments.stored), 122)

    def test_a_token_that_may_not_write_fails_nothing(self):
        Comments.stored, Comments.refuses = [], True
        self.api = self.serve(Comments)
        self.assertIn("::warning::", self.comment("one", pull_request={"number": 7}))

    # The examples of the documentation

    def example(self, name):
        # Workflows are files, and another test compares what the documents show of them.
        file = ROOT / "Examples" / "CI" / name
        text = (ROOT / "docs" / "ci.md").read_text()
        block = (
            file.read_text() if file.exists()
            else re.search(rf"^```\w+ {re.escape(name)}\n(.*?)^```$", text, re.M | re.S)[1]
        )
        number = re.search(r'static let current = "(.*)"', self.source("History/SchemaKitVersion.swift"))[1]
        self.assertIn(number, block)
        return block.replace("https://example.org/schemakit/releases", self.releases).replace(number, VERSION)

    def source(self, name):
        return (ROOT / "Sources" / "SchemaKit" / name).read_text()

    def run_example(self, script):
        tools = self.folder / "tools"
        if not tools.exists():
            subprocess.run([sys.executable, "-m", "venv", "--without-pip", tools], check=True)
        path = f"{tools / 'bin'}:{self.environment['PATH']}"
        # A pip that installs into that folder, as the one of the image does there.
        pip = tools / "bin" / "pip"
        pip.write_text(f'#!/bin/sh\nexec {sys.executable} -m pip --python {tools}/bin/python --no-cache-dir "$@"\n')
        pip.chmod(0o755)
        run = self.bash(script, {"PATH": path})
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_the_example_for_github_gives_inputs_that_there_are(self):
        known = yaml.safe_load((ROOT / "action.yml").read_text())["inputs"]
        steps = yaml.safe_load(self.example("github.yml"))["jobs"]["schema"]["steps"]
        given = next(step["with"] for step in steps if "schemakit@" in step["uses"])
        self.assertLessEqual(given.keys(), known.keys())
        self.assertLessEqual({name for name, one in known.items() if one.get("required")}, given.keys())

    def test_the_example_for_gitlab(self):
        job = yaml.safe_load(self.example("gitlab.yml"))["schema"]
        values = "".join(f"export {name}='{value}'\n" for name, value in job["variables"].items())
        self.run_example(values + "\n".join(job["script"]))
        self.assertEqual(
            self.arguments(), "check --to schema.sql --migrations migrations --format junit".split()
        )
        self.assertTrue((self.work / job["artifacts"]["reports"]["junit"]).exists())

    def test_the_example_for_woodpecker(self):
        step = yaml.safe_load(self.example("woodpecker.yml"))["steps"][0]
        values = "".join(f"export {name}='{value}'\n" for name, value in step["environment"].items())
        self.run_example(values + "\n".join(step["commands"]))
        self.assertEqual(self.arguments(), "check --to schema.sql --migrations migrations".split())

    def test_the_example_for_a_shell(self):
        self.run_example(self.example("shell.sh"))
        self.assertEqual(self.arguments(), "check --to schema.sql --migrations migrations".split())

    def test_the_example_for_pre_commit(self):
        (own,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
        (hook,) = yaml.safe_load(self.example("pre-commit.yml"))["repos"][0]["hooks"]
        for key in ("id", "name", "files", "pass_filenames"):
            self.assertEqual(hook[key], own[key])
        self.assertTrue(hook["entry"].startswith(own["entry"]))
        needs = " ".join(f"'{one}'" for one in hook["additional_dependencies"])
        self.run_example(f"pip install {needs}\n{hook['entry']}")
        self.assertEqual(self.arguments(), "check --to schema.sql --migrations migrations".split())


if __name__ == "__main__":
    unittest.main()
