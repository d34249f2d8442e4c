#!/bin/sh
# Builds the documentation site into .build-docs/site: the symbols and articles of the library, the pages of docs/, the
# symbols of the products beside it, and llms.txt. Fails on whatever DocC warns of, such as a link that leads nowhere.
#
# DOCS_BASE=/name says where the site will be hosted, if not at the root of its host.
set -eu
cd "$(dirname "$0")/.."

SWIFT="${SWIFT:-swift}"
out=.build-docs
catalog="$out/SchemaKit.docc"

# In Xcode's toolchains the tools are not on the path.
tool() { command -v "$1" || xcrun --find "$1"; }
docc=$(tool docc)
extract=$(tool swift-symbolgraph-extract)
sdk=""
if command -v xcrun >/dev/null 2>&1; then sdk="-sdk $(xcrun --show-sdk-path)"; fi

for module in SchemaKit SchemaKitOperations SchemaKitReports SchemaKitTesting SchemaKitRemote SchemaKitCommands; do
  $SWIFT build --target "$module" -j "${JOBS:-2}" >&2
done
products=$($SWIFT build --show-bin-path)
modules=$products/Modules
triple=$($SWIFT -print-target-info | sed -n 's/^ *"triple": "\(.*\)",$/\1/p' | head -n 1)

rm -rf "$out"
mkdir -p "$catalog"

# The pages of docs/ join the catalog, and the root page gets a list of them, and of the products beside the library.
awk -v out="$catalog" -f scripts/docs/stage.awk docs/*.md docs/commands/*.md Sources/SchemaKit/SchemaKit.docc/*.md
cp docs/*.svg "$catalog"
{
  printf '\n### Pages in full\n\n'
  for page in docs/*.md; do echo "- <doc:$(basename "$page" .md)>"; done
  printf '\n### Commands\n\n'
  for page in docs/commands/*.md; do echo "- <doc:schemactl-$(basename "$page" .md)>"; done
  printf '\n### Saved plans, recorded migrations, fleets, plans as text, tests, servers, and tools for models\n\n'
  for symbol in SchemaKitOperations/SavedPlan SchemaKitOperations/RecordedMigrations SchemaKitOperations/Fleet SchemaKitReports/PlanReportFormat SchemaKitTesting/CrashMatrix SchemaKitTesting/UpgradeMatrix \
    SchemaKitRemote/DqliteConnection SchemaKitCommands/SchemaTool; do
    echo "- \`\`/$symbol\`\`"
  done
} >> "$catalog/SchemaKit.md"

# What only says that a parameter is not described is no fault here: a name can say enough.
convert() {
  module=$1
  shift
  # Products that re-export the library have no copy of its symbols.
  reexported=""
  if [ "$module" = SchemaKit ]; then reexported=-experimental-allowed-reexported-modules=SQLiteSchema; fi
  mkdir -p "$out/symbols/$module"
  # shellcheck disable=SC2086
  "$extract" -module-name "$module" -target "$triple" $sdk -I "$modules" -I Sources/CSQLite -I Sources/LinkSQLite -I "$products/CTOML.build" \
    -minimum-access-level public -skip-synthesized-members \
    $reexported -output-dir "$out/symbols/$module"
  "$docc" convert "$@" --additional-symbol-graph-dir "$out/symbols/$module" --output-dir "$out/$module.doccarchive" \
    --fallback-display-name "$module" --fallback-bundle-identifier "$module" --fallback-default-module-kind Library \
    --enable-experimental-external-link-support --hosting-base-path "${DOCS_BASE:-/}" --ide-console-output \
    > "$out/$module.log" 2>&1 || { cat "$out/$module.log" >&2; exit 1; }
  if grep -E '(warning|error): ' "$out/$module.log" | grep -v "is missing documentation" >&2; then
    echo "docs: DocC warns of $module. A link in staged text stands in docs/ or in Sources/SchemaKit/SchemaKit.docc." >&2
    exit 1
  fi
}

# The library last: its articles link to the products.
overview() {
  mkdir -p "$out/$1.docc"
  printf '# ``%s``\n\n%s\n' "$1" "$2" > "$out/$1.docc/$1.md"
}
overview SchemaKitOperations "Saved plans, recorded migrations and fleets, which an app that migrates its own file does without."
overview SchemaKitReports "Plans as text, SQL, JSON and HTML, for people and other tools."
overview SchemaKitTesting "For tests of migrations: machines that stop, disks that fail, and files of every version."
overview SchemaKitRemote "Connections to databases on servers."
overview SchemaKitCommands "The commands of schemactl for a tool with models of its own."
convert SchemaKitOperations "$out/SchemaKitOperations.docc"
convert SchemaKitReports "$out/SchemaKitReports.docc"
convert SchemaKitTesting "$out/SchemaKitTesting.docc"
convert SchemaKitRemote "$out/SchemaKitRemote.docc"
convert SchemaKitCommands "$out/SchemaKitCommands.docc"
convert SchemaKit "$catalog" \
  --dependency "$out/SchemaKitOperations.doccarchive" --dependency "$out/SchemaKitReports.doccarchive" --dependency "$out/SchemaKitTesting.doccarchive" \
  --dependency "$out/SchemaKitRemote.doccarchive" --dependency "$out/SchemaKitCommands.doccarchive"

"$docc" merge "$out/SchemaKit.doccarchive" "$out/SchemaKitOperations.doccarchive" "$out/SchemaKitReports.doccarchive" "$out/SchemaKitTesting.doccarchive" "$out/SchemaKitRemote.doccarchive" \
  "$out/SchemaKitCommands.doccarchive" \
  --synthesized-landing-page-name SchemaKit --output-path "$out/site" >&2
rm -rf "$out"/*.doccarchive
scripts/docs/llms.sh "${DOCS_BASE:-}/documentation/schemakit" > "$out/site/llms.txt"

echo "docs: $(find "$out/site" -name index.html | wc -l | tr -d ' ') pages, $(du -sh "$out/site" | cut -f 1), in $out/site"
echo "docs: python3 -m http.server --bind 127.0.0.1 --directory $out/site 8000, and http://127.0.0.1:8000/documentation/schemakit"
