certutil() { LD_LIBRARY_PATH="$LIBRARIES" "$PROGRAM/root/usr/bin/certutil" -d sql:nssdb -f password "$@"; }
certificate() {
  certutil -S -n "$1" -s "CN=$1" -x -t "C,," -m "$2" -v 120 -k ec -q secp256r1 -z noise
}
