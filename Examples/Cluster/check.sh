#!/bin/sh
# Builds the example, and kills the server that leads while it runs. Needs Linux, Python and libdqlite-dev.
set -eu
cd "$(dirname "$0")"
root=$PWD/../..
products=guestbook
. ../session.sh
guestbook=$built/guestbook

mkfifo commands
python3 "$root/scripts/cluster/dqlite_cluster.py" --latency 40 "$folder/nodes" <commands >answers &
cluster=$!
exec 3>commands
trap 'exec 3>&-; wait "$cluster" 2>err || true; rm -rf "$folder"' EXIT
until [ -s answers ]; do sleep 0.1; done
addresses=$(head -n 1 answers)

"$guestbook" "dqlite://$addresses/guestbook" --seconds 8 >found 2>err &
program=$!
until grep -q leads found 2>err; do sleep 0.1; done
leader=$(sed -n 's/ leads\.//p' found)
node=$(echo "$addresses" | tr ',' '\n' | grep -nx "$leader" | cut -d: -f1)
sleep 2
echo "kill $node" >&3
sleep 3
echo "start $node" >&3
wait "$program" || fail "guestbook failed: $(cat found err)"
grep -q 'and 0 of them are missing' found || fail "$(cat found)"
grep -q 'The schema was changed after [1-9]' found || fail "$(cat found)"
# Between two entries, the next leader is found without the loss of any.
[ "$(grep -c done answers)" -ge 1 ] || fail "the leader was not killed: $(cat answers)"
cat found
# The notes of the other example, on the same nodes.
NOTES_ADDRESS="dqlite://$addresses/notes" "$root/Examples/Notes/check.sh"
