#!/bin/sh
# Makes a libsqlite3.so.0 of a SQLite that lies, without being exported, in a module of Python: FOLDER/MODULE stays, and
# FOLDER/libsqlite3.so.0 forwards to it (scripts/sqlite-in-module.c). No Python of the module is run.
# Forwarded are the functions that SQLite hands to extensions, which the compiler had to leave callable by anyone; others that a
# compiler may have bent to what the module itself calls are left out, but sqlite3_config and the initialization.
# Usage: scripts/sqlite-in-module.sh FOLDER MODULE
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/python-wheel.sh"
cd "$1"

if [ "$(uname -m)" != x86_64 ]; then
  echo "sqlite-in-module: the jumps are written for x86-64" >&2
  exit 1
fi
header=$(echo '#include <sqlite3ext.h>' | "${CC:-cc}" -E -M - | tr ' ' '\n' | grep 'sqlite3ext\.h$')
{
  sed -n 's/^#define \(sqlite3_[a-z0-9_]*\)  *sqlite3_api->.*/\1/p' "$header"
  echo sqlite3_config
  echo sqlite3Initialize
} | sort -u >wanted
nm "$2" | sed -n 's/^\([0-9a-f]*\) [tT] \([A-Za-z0-9_]*\)$/\2 \1/p' | sort -u >places
join wanted places | sed 's/\(.*\) \(.*\)/FUNCTION(\1, 0x\2)/' >functions.h
cut -d ' ' -f 1 places | comm -23 wanted - >lacking
# The module needs libm and does not say so, since every Python has it; a loader that resolves all symbols at once may then call
# into a libm that is not ready. It says that it needs libpthread, which the C library has become.
LC_ALL=C sed 's/libpthread\.so\.0/libm.so.6\x00\x00\x00\x00\x00\x00/' "$2" >patched
mv patched "$2"
cp "$here/sqlite-in-module.c" forward.c
python_symbols "$2" >python.c
"${CC:-cc}" -shared -fPIC -O1 -o libsqlite3.so.0 -Wl,-soname,libsqlite3.so.0 -Wl,--no-as-needed '-Wl,-rpath,$ORIGIN' \
  -Wl,-z,now -DPLACE="0x$(nm "$2" | sed -n 's/ T PyInit_apsw$//p')" python.c forward.c -L. -l:"$2" -lm
rm -f wanted places functions.h forward.c python.c
