#!/bin/sh
# Changes CASES (20000) random files of a KIND on each of the VERSIONS of SQLite (3.33.0, the system's, 3.53.4 and 3.54.1), on seeds that no
# run before has had: scripts/odd-files.sh mistreated, whose rows are not what their catalog says, or agreement, with things in them that this
# program lacks. Code that shares nothing with the library judges each file. Totals are added to docs/soak.tsv; a failure prints its seed
# and what shows it.
set -eu
cd "$(dirname "$0")/.."
kind=$1
case $kind in
mistreated) suite=MistreatedFileTests least=50000000 ;;
agreement) suite=AgreementPropertyTests least=60000000 ;;
*) echo "odd-files: no such kind: $kind" >&2 && exit 64 ;;
esac
name=$(echo "$kind" | tr '[:lower:]' '[:upper:]')
cases=${CASES:-20000}
system=$(sqlite3 --version | cut -d' ' -f1)
totals=docs/soak.tsv
log=$(mktemp)
trap 'rm -f "$log"' EXIT

"${SWIFT:-swift}" build --build-tests -j "${JOBS:-2}"
first=$(awk -F'\t' -v kind="$kind" -v least="$least" '$4 == kind { if ($5 + $6 > last) last = $5 + $6 } END { print last ? last : least }' "$totals")
failed=0
for sqlite in ${VERSIONS:-3.33.0 $system 3.53.4 3.54.1}; do
  library=${LD_LIBRARY_PATH:-}
  if [ "$sqlite" != "$system" ]; then
    scripts/sqlite-versions.sh "$sqlite"
    library=$PWD/.build-sqlite/$sqlite
  fi
  env "SCHEMAKIT_${name}_SEED=$first" "SCHEMAKIT_${name}_CASES=$cases" LD_LIBRARY_PATH="$library" NO_COLOR=1 \
    .build/debug/SchemaKitPackageTests.xctest --testing-library swift-testing --filter "$suite" >"$log" 2>&1 || {
    cat "$log"
    failed=1
    continue
  }
  counts=$(sed -n 's/^[a-z ]*: base seed .* cases, \([0-9]*\) applied, .*, \([0-9]*\) refused and confirmed, \([0-9]*\) refused and not.*/\1 \2 \3/p' "$log" |
    awk '{ a += $1; r += $2 + $3 } END { print a, r }')
  printf '%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\n' "$(date -u +%Y-%m-%d)" "$(git rev-parse --short HEAD)" "$sqlite" "$kind" \
    "$first" "$cases" "${counts% *}" "${counts#* }" >>"$totals"
  echo "SQLite $sqlite: $cases files, ${counts% *} changed, ${counts#* } refused"
done
exit $failed
