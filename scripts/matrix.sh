#!/bin/sh
# Runs all tests on several versions of SQLite: builds them once, against the system's SQLite, and lets the loader put
# another one in its place. Prints what was skipped, and a table; fails where a test fails.
# "sqlcipher" stands for SQLCipher, and "sqlcipher-keyed" for one that gives every file a key; what cannot hold on encrypted
# files is skipped there, for the reason that stands beside the test (`.needsPlainFiles`).
# Usage: scripts/matrix.sh [VERSION …]   (FILTER=… runs only the tests whose names match)
set -eu
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
logs=.build-sqlite/logs
python=${PYTHON:-python3}
version_of() {
  "$python" -c 'import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
library.sqlite3_libversion.restype = ctypes.c_char_p
print(library.sqlite3_libversion().decode())' "$1"
}
system=$(version_of libsqlite3.so.0)

[ $# -gt 0 ] || set -- 3.33.0 "$system" 3.46.1 3.50.4 3.53.4 3.54.1
others=""
for version in "$@"; do
  case "$version" in
    "$system") ;;
    sqlcipher) scripts/sqlcipher.sh ;;
    sqlcipher-keyed) scripts/sqlcipher.sh keyed ;;
    *) others="$others $version" ;;
  esac
done
# shellcheck disable=SC2086
[ -z "$others" ] || scripts/sqlite-versions.sh $others

"$swift" build --build-tests -j "${JOBS:-2}"
bin=$("$swift" build --show-bin-path)
tests=$bin/SchemaKitPackageTests.xctest
mkdir -p "$logs"

# A function that a library lacks would stop the loader, or the test that first calls it.
missing() {
  nm -D --defined-only "$1"/*.so.0 "$1"/*-engine.so 2>/dev/null | sed -n 's/.* \(sqlite3_[a-z0-9_]*\).*/\1/p' | sort -u >"$logs/defined"
  for program in "$tests" "$bin/schemactl" "$bin/kill-probe" "$bin/notes-schema"; do
    # Weakly linked functions (w) may be missing.
    nm -D --undefined-only "$program" | sed -n 's/.* U \(sqlite3_[a-z0-9_]*\).*/\1/p'
  done | sort -u | comm -13 "$logs/defined" -
}

failed=0
table=$(printf '%-16s %7s %7s %8s' SQLite tests failed skipped)
for version in "$@"; do
  log=$logs/$version.log
  folder=$PWD/.build-sqlite/$version
  expected=$version
  if [ "$version" = "$system" ]; then
    folder=""
  else
    lacking=$(missing "$folder")
    if [ -n "$lacking" ]; then
      echo "matrix: SQLite $version lacks functions that are linked:" $lacking >&2
      failed=1
      continue
    fi
  fi
  [ -z "$folder" ] || expected=$(version_of "$folder/libsqlite3.so.0")
  echo "SQLite $version"
  encrypted=0
  [ "$version" != sqlcipher-keyed ] || encrypted=1
  # What `swift test` runs, without lending the library to the package manager, which uses SQLite as well. The tests
  # check that the version is the one that is meant, and that files are encrypted where they are meant to be.
  status=0
  LD_LIBRARY_PATH="$folder${LD_LIBRARY_PATH:+${folder:+:}$LD_LIBRARY_PATH}" SCHEMAKIT_EXPECTED_SQLITE="$expected" \
    SCHEMAKIT_ENCRYPTED_FILES=$encrypted NO_COLOR=1 \
    "$tests" --testing-library swift-testing --experimental-maximum-parallelization-width "${JOBS:-2}" \
    ${FILTER:+--filter "$FILTER"} >"$log" 2>&1 || status=$?
  count=$(sed -n 's/.*Test run with \([0-9]*\) tests\{0,1\} .*/\1/p' "$log" | tail -n 1)
  failures=$(grep '^✘ Test .* failed after ' "$log" | grep -cv '^✘ Test run with ' || true)
  # A test of which only some cases are skipped counts among both.
  grep -E '^➜ (Test|Cases) ' "$log" | sed 's/ was cancelled after [0-9.]* seconds/ skipped/' | sort -u >"$log.skipped" || true
  skipped=$(grep -c . "$log.skipped" || true)
  sed 's/^/  /' "$log.skipped"
  grep '^✘ Test .* failed after ' "$log" | sed 's/^/  /' || true
  if [ "$status" -ne 0 ] || [ -z "$count" ]; then
    failed=1
    echo "  status $status; see $log" >&2
  fi
  table="$table
$(printf '%-16s %7s %7s %8s' "$version" "${count:--}" "$failures" "$skipped")"
done
echo
echo "$table"
exit $failed
