# Kamailio and its scripts from the folder where they are unpacked; kamdbctl looks for its schema where it is started.
root="$PROGRAM/root"
export LD_LIBRARY_PATH="$LIBRARIES:$root/usr/lib/x86_64-linux-gnu/kamailio" PATH="$root/usr/bin:$PATH"
export DBENGINE=SQLITE DB_PATH="$PWD/kamailio.sqlite" MYLIBDIR="$root/usr/lib/x86_64-linux-gnu/kamailio/kamctl" SIP_DOMAIN=lab.test
export CHARSET=utf8 INSTALL_EXTRA_TABLES=y INSTALL_PRESENCE_TABLES=y INSTALL_DBUID_TABLES=y STORE_PLAINTEXT_PW=1 NOHLPRINT=1
kamdbctl() { (cd "$root/usr/share/kamailio" && "$root/usr/sbin/kamdbctl" "$@"); }
kamctl() { "$root/usr/sbin/kamctl" "$@"; }
