#!/usr/bin/env bash
# Puts schemactl into FOLDER/bin, from the archive of VERSION below the address RELEASES, and verifies its checksum: SHA256
# where it is given, else the one in SHA256SUMS beside the archive. An archive that is in FOLDER already is not fetched again.
# Nothing in these values is evaluated.
set -euo pipefail
fail() {
  echo "::error::schemactl: $*"
  exit 1
}
releases=${RELEASES:-} version=${VERSION:-} folder=${FOLDER:?} expected=${SHA256:-}
case "$releases" in
  http://* | https://* | file://*) ;;
  '') fail "the input releases is missing: the address below which vVERSION/SHA256SUMS lies" ;;
  *) fail "the input releases is not an http or https address" ;;
esac
[[ "$version" =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "the input version is not three numbers, such as 0.2.0"
[[ "$expected" =~ ^([0-9a-f]{64})?$ ]] || fail "the input sha256 is not 64 digits of lower-case hexadecimal"
[ "$(uname -s) $(uname -m)" = "Linux x86_64" ] || fail "there is no archive for $(uname -s) on $(uname -m); build it with make install"

archive=schemactl-$version-linux-x86_64.tar.gz
mkdir -p "$folder"
fetch() {
  curl -fsSL --retry 3 --connect-timeout 20 --output "$folder/$1.part" --url "${releases%/}/v$version/$1" ||
    fail "version $version could not be downloaded: there is no ${releases%/}/v$version/$1, or no way to it"
  mv "$folder/$1.part" "$folder/$1"
}
if [ -z "$expected" ]; then
  fetch SHA256SUMS
  expected=$(awk -v name="$archive" '$2 == name { print $1 }' "$folder/SHA256SUMS")
  [ -n "$expected" ] || fail "SHA256SUMS of version $version does not name $archive"
fi
verified() { echo "$expected  $folder/$archive" | sha256sum --status -c - 2>/dev/null; }
[ -f "$folder/$archive" ] && verified || fetch "$archive"
if ! verified; then
  rm -f "$folder/$archive"
  fail "$archive does not have the checksum $expected; it was removed"
fi
tar -xzf "$folder/$archive" -C "$folder" --strip-components 1
"$folder/bin/schemactl" --version
[ -z "${GITHUB_PATH:-}" ] || echo "$folder/bin" >>"$GITHUB_PATH"
