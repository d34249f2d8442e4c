"$LAB/debian.sh" "$PWD" "pdns-server=$VERSION" "pdns-backend-sqlite3=$VERSION" sqlite3
