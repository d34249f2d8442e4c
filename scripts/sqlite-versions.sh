#!/bin/sh
# Puts SQLite in other versions into .build-sqlite/VERSION/libsqlite3.so.0, for `make matrix`, and says which version each
# library really is. The libraries come out of Python packages that carry one; nothing is installed, and no Python of
# these packages is run. Where a package has SQLite only within its module, a shim forwards to it (scripts/sqlite-in-module.sh).
# Usage: scripts/sqlite-versions.sh [VERSION …]
set -eu
cd "$(dirname "$0")/.."

folder=.build-sqlite
python=${PYTHON:-python3}
. scripts/python-wheel.sh

# The package, and the version of Python that its file is for, in which a version of SQLite is found.
package_of() {
  case "$1" in
    3.33.0) echo "fiona==1.10.1 3.13" ;;
    3.46.1) echo "pyproj==3.7.2 3.13" ;;
    3.50.4) echo "rasterio==1.4.4 3.13" ;;
    3.53.4) echo "pyproj==3.8.0 3.13" ;;
    3.54.1) echo "apsw==3.54.1.0 3.13" ;;
    *)
      echo "sqlite-versions: no package is known that carries SQLite $1; known are 3.33.0, 3.46.1, 3.50.4, 3.53.4 and 3.54.1" >&2
      return 1
      ;;
  esac
}

# What the library itself says.
version_of() {
  "$python" -c '
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
library.sqlite3_libversion.restype = ctypes.c_char_p
print(library.sqlite3_libversion().decode())' "$1"
}

fetch() {
  version=$1
  known=$(package_of "$version")
  package=${known% *}
  work=$folder/fetching-$version
  # The libraries that SQLite itself needs beside the system's lie in the same folder of the package.
  take_from_wheel "$work" "$package" "${known#* }" '(\.libs/(libsqlite3|libz)[^/]*|^apsw/__init__\.[^/]*\.so)$'
  carried=$(find "$work" -name 'libsqlite3*.so*' | head -n 1)
  module=$(find "$work" -name '__init__.*.so' | head -n 1)
  if [ -n "$carried" ]; then
    mv "$carried" "$work/libsqlite3.so.0"
  elif [ -n "$module" ]; then
    mv "$module" "$work/sqlite-module.so"
    scripts/sqlite-in-module.sh "$work" sqlite-module.so
  else
    echo "sqlite-versions: $package holds no SQLite for this machine" >&2
    exit 1
  fi
  rm -rf "${folder:?}/$version"
  mv "$work" "$folder/$version"
}

if [ "$(uname -s)" != Linux ]; then
  echo "sqlite-versions: only Linux can put another library in the place of the system's" >&2
  exit 1
fi
command -v "$python" >/dev/null 2>&1 || {
  echo "sqlite-versions: $python is missing" >&2
  exit 1
}

[ $# -gt 0 ] || set -- 3.33.0 3.46.1 3.50.4 3.53.4 3.54.1
for wanted in "$@"; do
  library=$folder/$wanted/libsqlite3.so.0
  [ -f "$library" ] || fetch "$wanted"
  found=$(LD_LIBRARY_PATH="$folder/$wanted" version_of "$library")
  echo "$library is SQLite $found"
  if [ "$found" != "$wanted" ]; then
    echo "sqlite-versions: $library should be $wanted; remove the folder and try again" >&2
    exit 1
  fi
done
