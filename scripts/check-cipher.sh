#!/bin/sh
# Encryption: runs its tests on SQLCipher, with a recorder of every file that is written to, and links a program with the
# trait SQLCipher, which must not need SQLite.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
swift=${SWIFT:-swift}

scripts/sqlcipher.sh
recorder=$root/.build-sqlite/write-recorder.so
"${CC:-cc}" -shared -fPIC -O1 -o "$recorder" Tests/WriteRecorder/write-recorder.c -ldl
SCHEMAKIT_WRITE_RECORDER=$recorder FILTER='Encrypt|KeyOption' scripts/matrix.sh sqlcipher

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/Sources/consumer"
cat >"$folder/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
  name: "consumer", platforms: [.macOS(.v14)],
  dependencies: [.package(name: "SchemaKit", path: "$root", traits: ["SQLCipher"])],
  targets: [.executableTarget(name: "consumer", dependencies: [.product(name: "SchemaKit", package: "SchemaKit")])])
END
cat >"$folder/Sources/consumer/main.swift" <<'END'
import SchemaKit

let key = try EncryptionKey(passphrase: "open sesame")
let connection = try SQLiteConnection(path: CommandLine.arguments[1], key: key)
try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES ('Rex')")
END
"$swift" build --package-path "$folder" -Xlinker "-L$root/.build-sqlite/sqlcipher" >"$folder/log" 2>&1 || {
  cat "$folder/log"
  exit 1
}
program=$folder/.build/debug/consumer
if readelf -d "$program" | grep -q 'NEEDED.*libsqlite3'; then
  echo "check-cipher: a program with the trait SQLCipher is linked with SQLite as well" >&2
  exit 1
fi
LD_LIBRARY_PATH="$root/.build-sqlite/sqlcipher${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$program" "$folder/a.db"
if head -c 15 "$folder/a.db" | grep -q 'SQLite format'; then
  echo "check-cipher: a program with the trait SQLCipher has not encrypted its file" >&2
  exit 1
fi
echo "check-cipher: a program with the trait SQLCipher is linked with SQLCipher alone"
