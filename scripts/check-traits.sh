#!/bin/sh
# A package that depends on SchemaKit: without the trait Macros it neither pins nor checks out swift-syntax; with pins of
# an earlier run with the trait it still builds without it.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
swift=${SWIFT:-swift}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/Sources/consumer"
echo 'import SchemaKit' >"$folder/Sources/consumer/main.swift"

fail() {
  echo "check-traits: $1" >&2
  exit 1
}

manifest() {
  cat >"$folder/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
  name: "consumer", platforms: [.macOS(.v14)],
  dependencies: [.package(name: "SchemaKit", path: "$root"$1)],
  targets: [.executableTarget(name: "consumer", dependencies: [.product(name: "SchemaKit", package: "SchemaKit")])])
END
}

manifest ''
"$swift" package --package-path "$folder" resolve >"$folder/log" 2>&1 || fail "$(cat "$folder/log")"
! grep -q swift-syntax "$folder/Package.resolved" || fail "swift-syntax is pinned without the trait"
[ ! -e "$folder/.build/checkouts/swift-syntax" ] || fail "swift-syntax is checked out without the trait"

manifest ', traits: ["Macros"]'
"$swift" package --package-path "$folder" resolve >"$folder/log" 2>&1 || fail "$(cat "$folder/log")"
grep -q swift-syntax "$folder/Package.resolved" || fail "swift-syntax is not pinned with the trait"

# Without the trait again, in a copy that has nothing but the pins, which are stale. The target that is built needs
# swift-syntax with the trait, and is a program that does nothing without it.
manifest ''
mkdir "$folder/copy"
cp -R "$folder/Package.swift" "$folder/Package.resolved" "$folder/Sources" "$folder/copy"
"$swift" build --package-path "$folder/copy" --target SchemaKitMacros >"$folder/log" 2>&1 || fail "$(cat "$folder/log")"
[ -e "$folder/copy/.build/debug/SchemaKitMacros-tool.build/Plugin.swift.o" ] || fail "the macros' target is not built"
[ ! -e "$folder/copy/.build/debug/SwiftSyntax.build" ] || fail "swift-syntax is built without the trait"
[ ! -e "$folder/copy/.build/checkouts/swift-syntax" ] || fail "swift-syntax is checked out because of stale pins"
echo "check-traits: swift-syntax is resolved with the trait Macros only"
