#!/bin/sh
# Gives a column another type with schemactl and with tools in Python, and prints what is left of the rest of the table: the
# table of docs/comparison.md. The tools go into .build-bench; nothing else is installed.
set -eu
cd "$(dirname "$0")/.."
folder=.build-bench
python=$folder/venv/bin/python
mkdir -p "$folder"
if [ ! -x "$python" ]; then "${PYTHON:-python3}" -m venv "$folder/venv"; fi
"$python" -m pip install -q --disable-pip-version-check -r scripts/bench-peers/requirements.txt
work=$(mktemp -d "$folder/compare.XXXXXX")
trap 'rm -rf "$work"' EXIT
"$python" -m pip list --disable-pip-version-check 2>/dev/null | grep -i -E '^(alembic|django|sqlite-utils) '
"$python" scripts/compare-peers/compare.py "$("${SWIFT:-swift}" build --show-bin-path)/schemactl" "$work"
