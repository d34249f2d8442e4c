#!/bin/sh
# Installs what building needs and is missing: SQLite with its headers; with "demo", also the sqlite3 shell;
# with "tests", also the files that the tests look at, and what they hold outputs against; with "remote", also dqlite.
set -eu

missing=""
if command -v apt-get >/dev/null 2>&1; then
  [ -f /usr/include/sqlite3.h ] || missing="$missing libsqlite3-dev"
  if [ -n "${1:-}" ] && [ "$1" != remote ]; then command -v sqlite3 >/dev/null 2>&1 || missing="$missing sqlite3"; fi
  if [ "${1:-}" = tests ]; then
    [ -f /usr/share/proj/proj.db ] || missing="$missing proj-data"
    command -v tmux >/dev/null 2>&1 || missing="$missing tmux"
  fi
  if [ "${1:-}" = remote ]; then [ -f /usr/include/dqlite.h ] || missing="$missing libdqlite-dev"; fi
  # shellcheck disable=SC2086
  [ -z "$missing" ] || "$(dirname "$0")/apt-install.sh" $missing
elif [ "$(uname -s)" != Darwin ]; then
  [ -f /usr/include/sqlite3.h ] || {
    echo "setup: SQLite's headers are missing; install the development package of sqlite3 (3.33 or later)" >&2
    exit 1
  }
fi

command -v swift >/dev/null 2>&1 || {
  echo "setup: Swift 6.2 or later is missing; see https://www.swift.org/install" >&2
  exit 1
}

if [ "${1:-}" = tests ]; then "$(dirname "$0")/json-validators.sh"; fi
