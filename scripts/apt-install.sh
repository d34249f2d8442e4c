#!/bin/sh
# Usage: scripts/apt-install.sh PACKAGE...
# Installs Debian packages. Waits for up to ten minutes while another program has apt's lock.
set -eu
if [ "$(id -u)" -eq 0 ]; then as_root=""; else as_root="sudo"; fi

waiting() {
  tries=0
  until output=$($as_root env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600 "$@" 2>&1); do
    case $output in
    *"ould not get lock"* | *"nable to lock"* | *"nable to acquire"*) ;;
    *) tries=120 ;;
    esac
    if [ "$tries" -ge 120 ]; then
      echo "$output" >&2
      exit 1
    fi
    [ "$tries" -gt 0 ] || echo "$(basename "$0"): waiting for another program that has apt's lock" >&2
    tries=$((tries + 1))
    sleep 5
  done
}

echo "$(basename "$0"): installing $*" >&2
waiting update
waiting install -y --no-install-recommends "$@"
