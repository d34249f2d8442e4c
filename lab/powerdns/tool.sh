export LD_LIBRARY_PATH="$LIBRARIES:$PROGRAM/root/usr/lib/x86_64-linux-gnu/pdns"
pdnsutil() { "$PROGRAM/root/usr/bin/pdnsutil" --config-dir="$PWD" "$@"; }
