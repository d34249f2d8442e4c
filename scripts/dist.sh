#!/bin/sh
# Builds a self-contained schemactl for Linux on x86-64, which needs a kernel and /proc and nothing else, and puts into dist/
# a tarball, a wheel, a Debian package, an OCI image and their SHA-256 sums. Debian 12 is what it is built on.
set -eu
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
if [ "$(uname -s) $(uname -m)" != "Linux x86_64" ]; then
  echo "dist: built on Linux on x86-64 only; docs/releasing.md has recipes for other systems, not yet run" >&2
  exit 1
fi
version=$(sed -n 's/.*static let current = "\(.*\)".*/\1/p' Sources/SchemaKit/History/SchemaKitVersion.swift)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
export SOURCE_DATE_EPOCH

# The linker takes the static library where the folder holds no other, and the compiler its header.
sqlite=$(scripts/sqlite-static.sh)
scratch=.build-dist
for product in schemactl generate-manual; do
  "$swift" build -c release --product "$product" --scratch-path "$scratch" -j "${JOBS:-2}" --static-swift-stdlib \
    -Xcc "-I$sqlite/include" -Xcc "-ffile-prefix-map=$PWD=." -Xswiftc -static-executable -Xlinker "-L$sqlite/lib" -Xlinker --gc-sections -Xlinker -s
done
program=$scratch/release/schemactl

tree=$scratch/tree
rm -rf "$tree"
mkdir -p "$tree/bin" "$tree/share/man/man1" "$tree/share/bash-completion/completions" \
  "$tree/share/zsh/site-functions" "$tree/share/fish/vendor_completions.d" "$tree/share/doc/schemactl" "$tree/share/schemactl"
cp docs/agents.md "$tree/share/schemactl/AGENTS.md"
cp "$program" "$tree/bin/schemactl"
"$scratch/release/generate-manual" "$program" --multi-page --output-directory "$tree/share/man/man1"
"$program" --generate-completion-script bash >"$tree/share/bash-completion/completions/schemactl"
"$program" --generate-completion-script zsh >"$tree/share/zsh/site-functions/_schemactl"
"$program" --generate-completion-script fish >"$tree/share/fish/vendor_completions.d/schemactl.fish"
root=$(dirname "$(dirname "$("$swift" -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')")")
python3 scripts/dist/licences.py "$scratch/checkouts" "$root" "${sqlite##*static-}" >"$tree/share/doc/schemactl/THIRD-PARTY.txt"
python3 scripts/dist/package.py "$tree" "$version" dist
