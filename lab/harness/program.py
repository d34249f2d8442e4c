"""A program of the laboratory: what its folder declares, where it is unpacked, and how its scripts are run."""
import contextlib
import hashlib
import os
import shutil
import signal
import subprocess
import tomllib


class Unavailable(Exception):
    """The program cannot be had, or does not make its file."""


def digest(paths):
    found = hashlib.sha256()
    for path in sorted(paths):
        found.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()[:16]


class Program:
    def __init__(self, folder, build):
        self.folder, self.name = folder, folder.name
        self.declared = tomllib.loads((folder / "program.toml").read_text())
        self.version = self.declared["version"]
        self.installed = build / "programs" / self.name
        self.made = build / "made" / self.name
        # Some programs write the path of a file into another one; so they find their files at one place always.
        self.work = build / "work" / self.name
        self.results = build / "results"
        self.tools = sorted(folder.parent.glob("*.sh"))

    def files(self):
        return [path for path in self.folder.iterdir() if path.is_file()]

    def command(self, script):
        environment = dict(os.environ, HOME=str(self.work), PROGRAM=str(self.installed), LAB=str(self.folder.parent))
        environment.update(HERE=str(self.folder), VERSION=self.version, PYTHONDONTWRITEBYTECODE="1", TZ="UTC", LC_ALL="C.UTF-8")
        folders = ("usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu", "usr/lib", "lib")
        environment["LIBRARIES"] = ":".join(f"{self.installed}/root/{folder}" for folder in folders)
        return {"args": ["sh", "-eu", str(self.folder / script)], "env": environment, "start_new_session": True}

    @staticmethod
    def end(running):
        """A script that takes too long ends with all that it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.wait()

    def script(self, name, log, folder=None, seconds=300):
        log.write(f"$ {name}\n")
        log.flush()
        running = subprocess.Popen(cwd=folder or self.work, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **self.command(name))
        try:
            return running.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            return "no end"
        finally:
            self.end(running)

    @contextlib.contextmanager
    def started(self, name, log):
        running = subprocess.Popen(
            cwd=self.work, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, **self.command(name)
        )
        try:
            yield running
        finally:
            self.end(running)

    def prepare(self, log):
        """Unpacks the program and makes its files, unless that has been done with the same scripts."""
        self.once(self.installed, [self.folder / "setup.sh", self.folder / "program.toml", *self.tools], "setup.sh", log, 1800)
        self.once(self.made, [path for path in self.files() if path.name not in ("use.sh", "running.sh")], "make.sh", log, 600)

    def once(self, place, inputs, script, log, seconds):
        stamp = place.parent / f"{self.name}.done"
        key = digest(inputs)
        if stamp.exists() and stamp.read_text() == key:
            return
        stamp.unlink(missing_ok=True)
        shutil.rmtree(place, ignore_errors=True)
        # Files are made where they are used later, and then put aside.
        folder = self.work if place == self.made else place
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        ran = self.script(script, log, folder, seconds)
        if ran != 0:
            raise Unavailable(f"{script} exits with {ran}")
        if place == self.made:
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(folder, place, symlinks=True)
        stamp.write_text(key)
