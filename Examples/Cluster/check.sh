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

# Both on sqld, which has one database, and which nobody takes over from.
for name in guestbook notes; do
  rm -f more answers
  mkfifo more
  python3 "$root/scripts/cluster/sqld.py" "$folder/sqld-$name" <more >answers &
  server=$!
  exec 4>more
  trap 'exec 3>&- 4>&-; wait "$cluster" "$server" 2>err || true; rm -rf "$folder"' EXIT
  until [ -s answers ]; do sleep 0.1; done
  address=$(head -n 1 answers)
  if [ "$name" = notes ]; then
    NOTES_ADDRESS=$address "$root/Examples/Notes/check.sh"
  else
    "$guestbook" "$address" --seconds 4 >found 2>err || fail "guestbook failed: $(cat found err)"
    grep -q 'and 0 of them are missing' found || fail "$(cat found)"
    cat found
  fi
  exec 4>&-
  wait "$server" 2>err || true
done
