#!/bin/sh
# Builds the example and runs it. Fails where it prints anything else, or where the macro saves less than it promises.
set -eu
cd "$(dirname "$0")"
lines() { cat "$1"/*.swift | grep -cv '^[[:space:]]*$'; }
builder=$(lines Sources/field-service/Builder)
macro=$(lines Sources/field-service/Macro)
products=field-service
. ../session.sh
program=$built/field-service
simplified() { cat; }

[ $((macro * 100)) -le $((builder * 60)) ] || fail "the macro takes $macro lines, the builder $builder"
expect 0 'Release 1: the schema of the macro is that of the builder.
Release 2: the schema of the macro is that of the builder.
Release 3: the schema of the macro is that of the builder.
One file went through three releases with all its rows.'
printf 'The example works: %s lines with the macro, %s with the builder.\n' "$macro" "$builder"
