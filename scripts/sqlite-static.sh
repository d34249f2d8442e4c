#!/bin/sh
# Builds the SQLite that a self-contained schemactl carries, as a static library, into .build-sqlite/static-VERSION.
#
# Why this version: 3.51.3 and later don't have the WAL-reset bug, which could damage a database that two programs write
# and checkpoint at one moment (https://sqlite.org/wal.html#walresetbug), and our whole test suite runs on this one.
# It is a version that a distribution carries, so that its unchanged source can be had from mirrors. To take another,
# change the next two lines, and run `make matrix` with it.
set -eu
cd "$(dirname "$0")/.."
version=3.53.4
checksum=05366adc8ee80c6b1faa71285b49d133c2121238ca58934b077fdeb95934abd4

folder=$PWD/.build-sqlite/static-$version
[ ! -f "$folder/lib/libsqlite3.a" ] || { echo "$folder"; exit 0; }
work=$PWD/.build-sqlite/building-$version
rm -rf "$work"
mkdir -p "$work"

# Debian's source package, of its unstable release, from where this system has its packages.
archive=$PWD/.build-sqlite/sqlite3_$version.orig.tar.xz
if [ ! -f "$archive" ] && command -v apt-get >/dev/null 2>&1; then
  site=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | head -n 1)
  mkdir -p "$work/lists/partial"
  echo "deb-src [trusted=yes] $site sid main" >"$work/sources.list"
  own() {
    apt-get -qq -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=- -o Dir::State::Lists="$work/lists" "$@"
  }
  own update >&2 || true
  (cd "$work" && own source --download-only sqlite3 >&2) || true
  [ ! -f "$work/${archive##*/}" ] || mv "$work/${archive##*/}" "$archive"
fi
if ! echo "$checksum  $archive" | sha256sum -c - >/dev/null 2>&1; then
  echo "sqlite-static: there is no source of SQLite $version with the checksum $checksum; put Debian's file at $archive" >&2
  exit 1
fi
tar -xJf "$archive" -C "$work" --strip-components 1

# The options of Debian's library, so that what works with the one works with the other. What a file may have that somebody
# else has made (virtual tables, functions in an index) must be there; loading an extension takes a dynamic loader, which
# a static program does not have.
options="-DSQLITE_THREADSAFE=1 -DSQLITE_USE_URI -DSQLITE_SECURE_DELETE -DSQLITE_OMIT_LOAD_EXTENSION \
  -DSQLITE_ENABLE_COLUMN_METADATA -DSQLITE_ENABLE_DBSTAT_VTAB -DSQLITE_ENABLE_STMTVTAB -DSQLITE_ENABLE_FTS3 -DSQLITE_ENABLE_FTS4 \
  -DSQLITE_ENABLE_FTS3_PARENTHESIS -DSQLITE_ENABLE_FTS3_TOKENIZER -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_RTREE -DSQLITE_ENABLE_GEOPOLY \
  -DSQLITE_ENABLE_MATH_FUNCTIONS -DSQLITE_ENABLE_PREUPDATE_HOOK -DSQLITE_ENABLE_SESSION -DSQLITE_ENABLE_UNLOCK_NOTIFY \
  -DSQLITE_LIKE_DOESNT_MATCH_BLOBS -DSQLITE_MAX_VARIABLE_NUMBER=250000 -DSQLITE_MAX_SCHEMA_RETRY=25 -DSQLITE_SOUNDEX -DHAVE_ISNAN"
(
  cd "$work"
  ./configure --disable-shared --disable-tcl
  make sqlite3.c
  # shellcheck disable=SC2086
  "${CC:-cc}" -O2 -fPIC $options -c sqlite3.c -o sqlite3.o
  ar rcs libsqlite3.a sqlite3.o
) >"$work/log" 2>&1 || {
  tail -n 20 "$work/log" >&2
  echo "sqlite-static: SQLite $version could not be built; all of the output is in $work/log" >&2
  exit 1
}

mkdir -p "$folder/lib" "$folder/include"
cp "$work/sqlite3.h" "$folder/include/"
cp "$work/libsqlite3.a" "$folder/lib/"
rm -rf "$work"
echo "$folder"
