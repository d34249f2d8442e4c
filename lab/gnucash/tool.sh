root="$PROGRAM/root"
export LD_LIBRARY_PATH="$LIBRARIES:$root/usr/lib/x86_64-linux-gnu/gnucash" PYTHONPATH="$root/usr/lib/python3/dist-packages"
export GNC_DBD_DIR="$root/usr/lib/x86_64-linux-gnu/dbd" GNC_UNINSTALLED=1 GNC_BUILDDIR="$root/usr" GSETTINGS_BACKEND=memory XDG_DATA_HOME="$PWD/data" XDG_CONFIG_HOME="$PWD/config"
books() { /usr/bin/python3 "$HERE/books.py" "$@"; }
