. "$HERE/tool.sh"
cat >pdns.conf <<C
launch=gsqlite3
gsqlite3-database=$PWD/zones.sqlite3
gsqlite3-dnssec=yes
gsqlite3-pragma-foreign-keys=yes
module-dir=$PROGRAM/root/usr/lib/x86_64-linux-gnu/pdns
C
python3 - "$PROGRAM/root/usr/share/doc/pdns-backend-sqlite3/schema.sqlite3.sql" <<'P'
import sqlite3, sys
sqlite3.connect("zones.sqlite3").executescript(open(sys.argv[1]).read())
P
for zone in example.test other.test; do
  pdnsutil create-zone "$zone" "ns1.$zone"
  for number in $(seq 40); do pdnsutil add-record "$zone" "host$number" A 3600 "192.0.2.$number"; done
done
pdnsutil secure-zone example.test
pdnsutil set-meta example.test ALSO-NOTIFY 192.0.2.1
