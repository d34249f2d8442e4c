#!/bin/sh
# Migrates random pairs of schemas for MINUTES (60), in a CONFIGURATION build (release), a third of the time with each of the
# STRATEGIES (auto alter rebuild), on seeds that no run before has had. Every pair is judged by code that shares nothing with the planner: schema, rows, orphans,
# integrity, and that a second run has nothing to do. Totals are added to docs/soak.tsv, whose last seed is where the
# next run goes on; a failure prints its seed and ends the run. SQLITE=3.53.4 runs it on that version instead of the system's.
set -eu
cd "$(dirname "$0")/.."
minutes=${MINUTES:-60}
chunk=${PAIRS:-1000}
totals=docs/soak.tsv
log=$(mktemp)
trap 'rm -f "$log"' EXIT

configuration=${CONFIGURATION:-release}
if [ "$configuration" = release ]; then
  export SCHEMAKIT_SOAK=1
  set -- -c release -Xswiftc -enable-testing --scratch-path .build-soak
  tests=.build-soak/release/SchemaKitPackageTests.xctest
else
  tests=.build/debug/SchemaKitPackageTests.xctest
fi
"${SWIFT:-swift}" build --build-tests -j "${JOBS:-2}" "$@"
sqlite=${SQLITE:-$(sqlite3 --version | cut -d' ' -f1)}
library=${LD_LIBRARY_PATH:-}
if [ -n "${SQLITE:-}" ]; then
  scripts/sqlite-versions.sh "$SQLITE"
  library=$PWD/.build-sqlite/$SQLITE
fi

# Adds what passed to the totals.
count() {
  [ "$pairs" -eq 0 ] || printf '%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\n' "$(date -u +%Y-%m-%d)" "$(git rev-parse --short HEAD)" \
    "$sqlite" "$strategy" "$first" "$pairs" "$applied" "$refused" >>"$totals"
}

strategies=${STRATEGIES:-auto alter rebuild}
for strategy in $strategies; do
  first=$(awk -F'\t' 'NR > 1 && $4 != "mistreated" && $4 != "agreement" { if ($5 + $6 > last) last = $5 + $6 } END { print last ? last : 30000000 }' "$totals")
  end=$(($(date +%s) + minutes * 60 / $(echo "$strategies" | wc -w)))
  pairs=0 applied=0 refused=0
  while [ "$(date +%s)" -lt "$end" ]; do
    SCHEMAKIT_PROPERTY_STRATEGY=$strategy SCHEMAKIT_PROPERTY_SEED=$((first + pairs)) SCHEMAKIT_PROPERTY_PAIRS=$chunk \
      LD_LIBRARY_PATH=$library NO_COLOR=1 "$tests" --testing-library swift-testing --filter SchemaPairPropertyTests >"$log" 2>&1 || {
      cat "$log"
      count
      exit 1
    }
    counts=$(sed -n 's/^property test: .* pairs, \([0-9]*\) applied .*, \([0-9]*\) refused and confirmed, \([0-9]*\) refused.*/\1 \2 \3/p' "$log" |
      awk '{ a += $1; r += $2 + $3 } END { print a, r }')
    pairs=$((pairs + chunk)) applied=$((applied + ${counts% *})) refused=$((refused + ${counts#* }))
    printf '\r%s: %d pairs, %d applied, %d refused' "$strategy" "$pairs" "$applied" "$refused"
  done
  echo
  count
done
