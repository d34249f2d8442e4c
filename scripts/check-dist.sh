#!/bin/sh
# Holds what `make dist` has put into dist/ against what it promises: sizes, checksums, a program that needs no library, and
# each artefact installed and used in a tree of files without Swift: an empty one, Debian 12, and Debian 11 with its older
# C library. Needs root, for chroot.
set -eu
cd "$(dirname "$0")/.."
trees=$PWD/.build-trees
if [ "$(id -u)" -ne 0 ]; then
  echo "check-dist: root is needed for chroot; run it with sudo" >&2
  exit 1
fi
fail() {
  echo "check-dist: $*" >&2
  exit 1
}

mounted=""
tidy() { for place in $mounted; do umount "$place" || true; done; }
trap tidy EXIT

# A tree of Debian's smallest system with some packages more; it is kept, and copied for each use.
debian() {
  name=$1 && shift
  if [ ! -f "$trees/$name.tar" ]; then
    command -v debootstrap >/dev/null 2>&1 || scripts/apt-install.sh debootstrap
    echo "check-dist: making a tree of Debian $name" >&2
    mkdir -p "$trees"
    rm -rf "$trees/$name"
    debootstrap --variant=minbase --include="$(echo "$*" | tr ' ' ',')" "$name" "$trees/$name" \
      >"$trees/$name.log" 2>&1 || fail "debootstrap of $name failed, see $trees/$name.log"
    tar -C "$trees/$name" --exclude=./var/cache --exclude=./proc/* -cf "$trees/$name.tar" .
    rm -rf "${trees:?}/$name"
  fi
}
fresh() {
  # A run that was killed has left it there.
  ! mountpoint -q "$trees/$1/proc" || umount "$trees/$1/proc"
  rm -rf "${trees:?}/$1"
  mkdir -p "$trees/$1/proc" "$trees/$1/tmp"
  [ -z "${2:-}" ] || tar -C "$trees/$1" -xf "$trees/$2.tar"
  mount -t proc proc "$trees/$1/proc"
  mounted="$mounted $trees/$1/proc"
}

# What somebody does with the program in a tree: a database, a change that copies rows, and back again.
story() {
  tree=$1 program=$2
  mkdir -p "$trees/$tree/work"
  printf 'CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT, size TEXT);\nCREATE INDEX by_title ON note (title);\n' \
    >"$trees/$tree/work/one.sql"
  sed 's/title TEXT/title TEXT NOT NULL DEFAULT '"''"'/; s/size TEXT/size INTEGER/' "$trees/$tree/work/one.sql" \
    >"$trees/$tree/work/two.sql"
  step() {
    expected=$1 && shift
    status=0
    output=$(chroot "$trees/$tree" "$program" "$@" 2>&1) || status=$?
    [ "$status" -eq "$expected" ] || fail "$tree: schemactl $* ended with $status, not $expected: $output"
  }
  step 0 --version
  case "$output" in *"SQLite $sqlite "*) ;; *) fail "$tree: --version says $output" ;; esac
  step 0 apply /work/app.db --to /work/one.sql --yes --create
  python3 -c "import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db: db.execute(\"INSERT INTO note (title, size) VALUES ('a', '7')\")" "$trees/$tree/work/app.db"
  step 2 check /work/app.db --to /work/two.sql
  step 0 plan /work/app.db --to /work/two.sql
  case "$output" in *"-/+ rebuild"*) ;; *) fail "$tree: the plan says $output" ;; esac
  step 0 apply /work/app.db --to /work/two.sql --yes
  step 0 check /work/app.db --to /work/two.sql
  # An error with its place: a function that an old SQLite lacks tells it.
  printf 'CREATE TABLE note (id INTEGER PRIMARY KEY);\n\nCREATE INDEX i ON note (missing);\n' >"$trees/$tree/work/wrong.sql"
  step 1 plan /work/app.db --to /work/wrong.sql
  case "$output" in *"wrong.sql:3"*) ;; *) fail "$tree: the error names another line: $output" ;; esac
  step 0 undo /work/app.db --yes
  step 0 check /work/app.db --to /work/one.sql
  step 0 doctor /work/app.db
  echo "check-dist: $tree: $("chroot" "$trees/$tree" "$program" --version | tr '\n' ' ')"
}

version=$(sed -n 's/.*static let current = "\(.*\)".*/\1/p' Sources/SchemaKit/History/SchemaKitVersion.swift)
sqlite=$(sed -n 's/^version=//p' scripts/sqlite-static.sh)
(cd dist && sha256sum --quiet -c SHA256SUMS) || fail "a checksum in dist/SHA256SUMS is wrong; run make dist"

# In millions of bytes.
at_most() { [ "$(stat -c %s "$1")" -le "$2"000000 ] || fail "$1 is larger than $2 MB"; }
at_most dist/schemactl-*.whl 12
at_most dist/schemactl_*_amd64.deb 8

fresh empty
tar -xzf "dist/schemactl-$version-linux-x86_64.tar.gz" -C "$trees/empty" --strip-components 2 \
  "schemactl-$version-linux-x86_64/bin/schemactl"
at_most "$trees/empty/schemactl" 28
! ldd "$trees/empty/schemactl" >/dev/null 2>&1 || fail "the program needs libraries: $(ldd "$trees/empty/schemactl")"
story empty /schemactl

# The image: what its layer holds, below nothing.
fresh image
python3 - "dist/schemactl-$version-oci.tar" "$trees/image" <<'PYTHON'
import hashlib, io, json, sys, tarfile
image = tarfile.open(sys.argv[1])

def blob(descriptor):
    content = image.extractfile("blobs/" + descriptor["digest"].replace(":", "/")).read()
    assert hashlib.sha256(content).hexdigest() == descriptor["digest"].split(":")[1] and len(content) == descriptor["size"]
    return content

manifest = json.loads(blob(json.load(image.extractfile("index.json"))["manifests"][0]))
config = json.loads(blob(manifest["config"]))
assert config["config"]["Entrypoint"] == ["/usr/bin/schemactl"]
for layer in manifest["layers"]:
    tarfile.open(fileobj=io.BytesIO(blob(layer))).extractall(sys.argv[2])
PYTHON
story image /usr/bin/schemactl

debian bookworm python3 python3-venv
fresh debian-12 bookworm
cp dist/schemactl-*.whl "$trees/debian-12/tmp/"
chroot "$trees/debian-12" sh -c 'python3 -m venv /venv && /venv/bin/pip install --quiet --no-index /tmp/schemactl-*.whl'
story debian-12 /venv/bin/schemactl

# The commands of the quick start, on a file of the real Django; its own file and the sqlite3 shell are left out.
scripts/neighbours.sh --install
rm -f "$trees/debian-12/work/db.sqlite3"
.build-neighbours/bin/python scripts/neighbours/django_file.py "$trees/debian-12/work/db.sqlite3"
sed -n '/^```console/,/^```$/ s/^\$ //p' docs/quick-start.md | grep -v '^sqlite3 ' >"$trees/debian-12/work/commands"
count=$(wc -l <"$trees/debian-12/work/commands")
# With the installation before them.
[ "$count" -ge 8 ] && [ "$count" -lt 12 ] || fail "the quick start has $count commands"
chroot "$trees/debian-12" sh -ec 'cd /work; PATH=/venv/bin:$PATH; . ./commands' >"$trees/quick-start.log" 2>&1 ||
  fail "the quick start failed, see $trees/quick-start.log"
rows=$(python3 -c 'import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute("SELECT note FROM shop_order").fetchall())' \
  "$trees/debian-12/work/db.sqlite3")
[ "$rows" = "[(None,), ('gift',)]" ] || fail "the quick start leaves $rows"
echo "check-dist: debian-12: the quick start, $count commands after the installation"

debian bullseye python3-minimal
fresh debian-11 bullseye
cp "dist/schemactl_${version}_amd64.deb" "$trees/debian-11/tmp/"
chroot "$trees/debian-11" dpkg --install "/tmp/schemactl_${version}_amd64.deb" >/dev/null
story debian-11 /usr/bin/schemactl
chroot "$trees/debian-11" dpkg --remove schemactl >/dev/null
[ ! -e "$trees/debian-11/usr/bin/schemactl" ] || fail "debian-11: the package does not remove what it installed"
