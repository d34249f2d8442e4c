"$LAB/debian.sh" "$PWD" "kamailio-sqlite-modules=$VERSION" "kamailio=$VERSION" sqlite3
