#!/bin/sh
# Usage: scripts/neighbours.sh [--install]
# Installs Alembic, Django and sqlite-utils from PyPI into .build-neighbours, and runs the tests of scripts/neighbours with them and
# the schemactl that SCHEMACTL names (.build/debug/schemactl).
set -eu
cd "$(dirname "$0")/.."
folder=.build-neighbours
requirements=scripts/bench-peers/requirements.txt
python=${PYTHON:-python3}
if ! cmp -s "$requirements" "$folder/requirements.txt"; then
  if ! "$python" -c 'import ensurepip, venv' 2>/dev/null && command -v apt-get >/dev/null 2>&1; then
    scripts/apt-install.sh python3-venv
  fi
  echo "neighbours: installing the tools into $folder" >&2
  rm -rf "$folder"
  "$python" -m venv "$folder"
  "$folder/bin/pip" install --quiet --disable-pip-version-check -r "$requirements" >&2
  cp "$requirements" "$folder/requirements.txt"
fi
if [ "${1:-}" = --install ]; then exit 0; fi
SCHEMACTL=${SCHEMACTL:-$PWD/.build/debug/schemactl}
export SCHEMACTL PYTHONDONTWRITEBYTECODE=1
"$folder/bin/python" scripts/neighbours/test_neighbours.py
# The scripts of plan --profile, in the way of each engine's tool; these tools themselves are not run.
"$folder/bin/python" scripts/neighbours/test_scripts.py
