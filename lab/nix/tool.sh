# Nix with a store of its own, which asks no other store.
root="$PROGRAM/root"
export LD_LIBRARY_PATH="$root/usr/lib/nix:$LIBRARIES" NIX_STORE_DIR="$PWD/nix/store" NIX_STATE_DIR="$PWD/nix/var" NIX_LOG_DIR="$PWD/nix/log" \
  NIX_CONF_DIR="$HERE" NIX_LOCALSTATE_DIR="$PWD/nix/var" NIX_REMOTE=""
nix_store() { "$root/usr/bin/nix-store" "$@"; }
nix_build() {
  "$root/usr/bin/nix-build" --option build-hook "$root/usr/libexec/nix/build-remote" --no-out-link "$HERE/paths.nix" --arg number "$1"
}
