#!/bin/sh
# Usage: lab/debian.sh FOLDER PACKAGE[=VERSION]...
# Unpacks packages of Debian, and those of their dependencies that this system lacks, into FOLDER/root. Nothing is installed, and
# no script of a package runs. apt's locks are not needed, but for its lists where they do not know a package yet.
set -eu
folder=$1
shift
for package in "$@"; do
  apt-cache show "${package%%=*}" >/dev/null 2>&1 ||
    { apt-get -qq -o DPkg::Lock::Timeout=600 update >&2; break; }
done
mkdir -p "$folder/archives/partial" "$folder/root"
LC_ALL=C apt-get -qq -o Debug::NoLocking=true -o "Dir::Cache::archives=$folder/archives" -o APT::Sandbox::User=root \
  install --download-only --reinstall --no-install-recommends -y "$@" >&2
for archive in "$folder"/archives/*.deb; do
  dpkg -x "$archive" "$folder/root"
done
rm -rf "$folder/archives"
