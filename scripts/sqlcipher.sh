#!/bin/sh
# Puts SQLCipher 4 into .build-sqlite/sqlcipher, for the tests of encryption: libsqlcipher.so for the linker, and
# libsqlite3.so.0 for programs that are linked with SQLite. With "keyed" it also fills .build-sqlite/sqlcipher-keyed, whose
# libsqlite3.so.0 gives every file a key, for `make matrix VERSIONS=sqlcipher-keyed`.
# The library comes out of a Python package that carries one; nothing is installed, and no Python of it is run.
# Usage: scripts/sqlcipher.sh [keyed]
set -eu
cd "$(dirname "$0")/.."

package=sqlcipher3-wheels==0.5.7
folder=.build-sqlite/sqlcipher
python=${PYTHON:-python3}
. scripts/python-wheel.sh

if [ "$(uname -s)" != Linux ]; then
  echo "sqlcipher: only Linux can put another library in the place of the system's; on macOS, brew install sqlcipher" >&2
  exit 1
fi

# Usage: library FOLDER [FILE.c …]
library() {
  target=$1
  shift
  (cd "$target" && "${CC:-cc}" -shared -fPIC -o libsqlcipher.so.0 -Wl,-soname,libsqlcipher.so.0 -Wl,--no-as-needed \
    '-Wl,-rpath,$ORIGIN' python.c "$@" -L. -l:libsqlcipher-engine.so)
  echo "INPUT($PWD/$target/libsqlcipher.so.0 $PWD/$target/libsqlcipher-engine.so)" >"$target/libsqlcipher.so"
  ln -sf libsqlcipher.so.0 "$target/libsqlite3.so.0"
}

if [ ! -e "$folder/libsqlite3.so.0" ]; then
  take_from_wheel "$folder" "$package" 3.11 '/_sqlite3\.[^/]*$'
  mv "$folder"/_sqlite3.* "$folder/libsqlcipher-engine.so"
  python_symbols "$folder/libsqlcipher-engine.so" >"$folder/python.c"
  library "$folder"
fi
echo "$folder/libsqlcipher.so holds SQLCipher out of $package"

[ "${1:-}" = keyed ] || exit 0
keyed=.build-sqlite/sqlcipher-keyed
rm -rf "$keyed"
mkdir -p "$keyed"
cp "$folder/libsqlcipher-engine.so" "$folder/python.c" "$keyed/"
cp scripts/sqlcipher-keyed.c "$keyed/keyed.c"
library "$keyed" keyed.c
echo "$keyed/libsqlite3.so.0 gives every file a key"
