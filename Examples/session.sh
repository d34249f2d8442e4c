# What check.sh of every example begins with, by `. ../session.sh` in its own folder: builds what `products` names, into the
# folder "$built", by the package PACKAGE instead of its own if that is given, goes to a temporary folder, and defines `fail` and `expect`.
SWIFT=${SWIFT:-swift}

fail() {
  printf 'check.sh: %s\n' "$1" >&2
  exit 1
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for name in $products; do
  "$SWIFT" build --package-path "${PACKAGE:-.}" --product "$name" ${JOBS:+-j "$JOBS"} >"$folder/out" 2>&1 || fail "$(cat "$folder/out")"
  tail -n 1 "$folder/out"
done
built=$("$SWIFT" build --package-path "${PACKAGE:-.}" --show-bin-path)
cd "$folder"
count=0

# expect CODE OUTPUT ARGUMENT…: runs "$program", and compares its exit code and what it prints, `simplified` by check.sh.
# What is said on standard error has ! before it.
expect() {
  wanted_code=$1
  wanted=$2
  shift 2
  code=0
  "$program" "$@" </dev/null >out 2>err || code=$?
  sed 's/^/! /' err >>out
  found=$(simplified <out)
  count=$((count + 1))
  name=${program##*/}
  [ "$code" -eq "$wanted_code" ] || fail "$name $*: exit code $code, not $wanted_code: $found"
  [ "$found" = "$wanted" ] || fail "$name $*
--- expected
$wanted
--- found
$found"
}
