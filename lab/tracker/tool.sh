root="$PROGRAM/root"
export LD_LIBRARY_PATH="$LIBRARIES" PYTHONPATH="$root/usr/lib/python3/dist-packages"
export GI_TYPELIB_PATH="$root/usr/lib/x86_64-linux-gnu/girepository-1.0" ONTOLOGY="$root/usr/share/tracker3/ontologies/nepomuk"
store() { /usr/bin/python3 "$HERE/store.py" "$@"; }
