#!/bin/sh
# Makes release VERSION on this machine: the number in the sources, the section of the changelog, all checks, the artefacts in
# dist/, a commit and a tag. It pushes and uploads nothing. Where a step fails, the files are as they were.
# Usage: scripts/release.sh VERSION
set -eu
cd "$(dirname "$0")/.."
version=${1:-}
fail() {
  echo "release: $*" >&2
  exit 1
}
echo "$version" | grep -Eq '^[0-9]+\.[0-9]+\.[0-9]+$' || fail "give a version of three numbers: make release VERSION=0.2.0"
[ -z "$(git status --porcelain)" ] || fail "the working tree has changes; commit them first"
! git rev-parse -q --verify "refs/tags/v$version" >/dev/null || fail "there is a tag v$version already"

constant=Sources/SchemaKit/History/SchemaKitVersion.swift
old=$(sed -n 's/.*static let current = "\(.*\)".*/\1/p' "$constant")
# The documents and examples name the version that they install, and show what it prints.
files="$constant CHANGELOG.md $(git grep -lF "$old" -- README.md docs Examples/CI Sources/SchemaKit/SchemaKit.docc)"
notes=$(awk '/^## \[Unreleased\]/ { on = 1; next } /^## / { on = 0 } on' CHANGELOG.md)
[ -n "$(printf %s "$notes" | tr -d '[:space:]')" ] || fail "CHANGELOG.md has nothing under [Unreleased]"
# shellcheck disable=SC2086
undo() { git checkout -q -- $files; }
trap 'undo; fail "stopped before the commit; nothing was changed"' EXIT

for file in $files; do
  [ "$file" = CHANGELOG.md ] || sed -i -E "s/(^|[^0-9.])$(echo "$old" | sed 's/\./\\./g')([^0-9]|$)/\1$version\2/g" "$file"
done
sed -i "s/^## \[Unreleased\]\$/## [Unreleased]\n\n## [$version] - $(date -u +%Y-%m-%d)/" CHANGELOG.md
if [ "${CHECK:-yes}" = yes ]; then make check; fi
make dist
make check-dist
make check-dist-commands

trap - EXIT
# shellcheck disable=SC2086
git commit -q -m "release: $version" -- $files
printf 'schemactl and SchemaKit %s\n\n%s\n' "$version" "$notes" | git tag -a "v$version" --cleanup=verbatim -F -
echo "release: made commit $(git rev-parse --short HEAD) and tag v$version; dist/ holds what to upload:"
cat dist/SHA256SUMS
echo "release: publish it with: git push origin main v$version"
