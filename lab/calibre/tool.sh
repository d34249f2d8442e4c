# calibredb from the folder where it is unpacked, with Debian's Python.
root="$PROGRAM/root"
export LD_LIBRARY_PATH="$LIBRARIES" PYTHONPATH="$root/usr/lib/python3/dist-packages" CALIBRE_CONFIG_DIRECTORY="$PWD/config"
export CALIBRE_PYTHON_PATH="$root/usr/lib/calibre" CALIBRE_RESOURCES_PATH="$root/usr/share/calibre" \
  CALIBRE_EXTENSIONS_PATH="$root/usr/lib/calibre/calibre/plugins" CALIBRE_EXECUTABLES_PATH="$root/usr/bin"
calibredb() {
  command=$1
  shift
  /usr/bin/python3 "$root/usr/bin/calibredb" "$command" --with-library "$PWD/library" "$@"
}
