#!/bin/sh
# Usage: lab/python.sh FOLDER REQUIREMENT...
# Makes a virtual environment in FOLDER/venv, and installs packages of PyPI into it.
set -eu
folder=$1
shift
python=${PYTHON:-python3}
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null && command -v apt-get >/dev/null 2>&1; then
  "$(dirname "$0")/../scripts/apt-install.sh" python3-venv
fi
"$python" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check "$@" >&2
