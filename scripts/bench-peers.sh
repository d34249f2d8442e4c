#!/bin/sh
# Carries out the mixed change of strategies-bench with tools in Python, each time on a new copy of the same file, and
# prints what that took. The tools go into .build-bench; nothing else is installed.
# Usage: scripts/bench-peers.sh [--rows N] [--repeats N]
set -eu
cd "$(dirname "$0")/.."
rows=1000000
repeats=3
while [ $# -gt 0 ]; do
  case "$1" in
    --rows) rows=$2 ;;
    --repeats) repeats=$2 ;;
    *)
      echo "bench-peers: $1 is neither --rows nor --repeats" >&2
      exit 2
      ;;
  esac
  shift 2
done

bin=Benchmarks/.build/release/strategies-bench
folder=.build-bench
python=$folder/venv/bin/python
if [ ! -x "$bin" ]; then
  echo "bench-peers: run make bench-strategies first, or build strategies-bench for release" >&2
  exit 1
fi
mkdir -p "$folder"
if [ ! -x "$python" ]; then "${PYTHON:-python3}" -m venv "$folder/venv"; fi
"$python" -m pip install -q --disable-pip-version-check -r scripts/bench-peers/requirements.txt

work=$(mktemp -d "$folder/peers.XXXXXX")
trap 'rm -rf "$work"' EXIT
"$bin" make --rows "$rows" "$work/original.db"
"$bin" state "$work/original.db" >"$work/expected"

date -u
"$python" -c 'import sqlite3; print("SQLite", sqlite3.sqlite_version)'
uptime
repeat=1
while [ "$repeat" -le "$repeats" ]; do
  for peer in sqlite-utils alembic django; do
    cp "$work/original.db" "$work/copy.db"
    sync
    "$python" "scripts/bench-peers/peer_$(echo "$peer" | tr - _).py" "$work/copy.db" | sed "s/^/$peer /" >>"$work/samples"
    "$bin" state --changed "$work/copy.db" >"$work/found"
    if [ "$(head -n 1 "$work/found")" != "$(cat "$work/expected")" ]; then
      echo "bench-peers: $peer changed values that it should not" >&2
      exit 1
    fi
    tail -n +2 "$work/found" | sed "s/^/  $peer leaves /" >>"$work/notes"
    rm "$work"/copy.db*
  done
  repeat=$((repeat + 1))
done
"$python" scripts/bench-peers/table.py "$work/samples"
sort -u "$work/notes"
