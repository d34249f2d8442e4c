"""Prints the licences of what is linked into schemactl. Usage: licences.py CHECKOUTS SWIFT_ROOT SQLITE_VERSION

CHECKOUTS has the sources of the Swift packages, SWIFT_ROOT is the toolchain's folder with lib/ and share/. The texts
are read where the linked code comes from, so that they are those of its version; for the libraries of C and C++ that
is Debian's documentation. A text that is missing is an error: without it the program must not be passed on.
"""

import re
import subprocess
import sys
from pathlib import Path

HERE, DEBIAN = Path(__file__).parent, Path("/usr/share")


def fail(name, problem):
    sys.exit(f"licences: the licence of {name} is missing: {problem}; schemactl must not be passed on without it")


def read(name, folder, pattern):
    """The text of the first file in a folder that fits a pattern."""
    for path in sorted(folder.glob(pattern)):
        return path.read_text(encoding="utf-8").strip("\n") + "\n"
    return fail(name, f"{folder} has no {pattern}")


def cut(name, text, first, last=""):
    """The lines from the one that begins with `first` up to the next that begins with `last`, or to the end."""
    end = f"^{re.escape(last)}" if last else r"\Z"
    match = re.search(f"^{re.escape(first)}.*?(?={end})", text, re.MULTILINE | re.DOTALL)
    return match[0].strip("\n") + "\n" if match else fail(name, f"its file has no lines from {first} to {last}")


def packages(checkouts):
    """Each Swift package with its licence, and with its notice, which Apache's licence asks for."""
    folders = sorted(path for path in checkouts.glob("*") if path.is_dir())
    for folder in folders or fail("the Swift packages", f"{checkouts} has no folders"):
        licence = read(folder.name, folder, "LICENSE*")
        notices = [read(folder.name, folder, path.name) for path in sorted(folder.glob("NOTICE*"))]
        yield folder.name, "\n".join([licence, *notices])
    # TOMLKit carries toml++ as one header, which begins with its licence.
    header = read("toml++", checkouts, "TOMLKit/Sources/CTOML/Sources/toml.hpp")
    licence = re.sub("^// ?", "", cut("toml++", header, "// MIT License", "//---"), flags=re.MULTILINE)
    yield "toml++, inside TOMLKit", f"{licence}Its decoder of UTF-8 is Copyright (c) 2008-2009 Bjoern Hoehrmann.\n"


def gcc(name):
    text = read(name, DEBIAN, "doc/libgcc-s1/copyright")
    licence = "They are under version 3 of the GNU General Public License or later, with this exception:\n\n"
    return name, licence + cut(name, text, "GCC RUNTIME LIBRARY EXCEPTION", "libquadmath")


def libc(name, package):
    """The LGPL asks for more than its text: which version is linked in, and how to link a changed one."""
    query = ["dpkg-query", "--show", "--showformat", "${source:Package} ${source:Version}", package]
    source = subprocess.run(query, stdout=subprocess.PIPE, text=True, check=True).stdout
    notices = read(name, DEBIAN, f"doc/{package}/copyright")
    return name, "\n".join([
        read(name, HERE, "relinking.txt").format(source=source),
        cut(name, notices, "* Most of the GNU C library", "  On Debian systems"),
        cut(name, notices, "* All code incorporated from 4.4 BSD"),
        read(name, DEBIAN, "common-licenses/LGPL-2.1"),
    ])


def main(checkouts, swift, sqlite):
    parts = [
        *packages(checkouts),
        ("the runtime of Swift, with Dispatch and Foundation", read("Swift", swift, "share/swift/LICENSE.txt")),
        ("SQLite", f"Version {sqlite} is in the public domain: https://sqlite.org/copyright.html\n"),
        gcc("libstdc++ and libgcc"),
        libc("the GNU C library (glibc)", "libc6-dev"),
    ]
    names = {}  # those with the same text share it
    for name, text in parts:
        names.setdefault(text, []).append(name)
    print((HERE / "introduction.txt").read_text(encoding="utf-8"))
    for text, sharing in names.items():
        print("=" * 80, *sharing, "-" * 80, text, sep="\n")


main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
