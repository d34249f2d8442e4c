"$LAB/python.sh" "$PWD" "RelStorage[sqlite3]==$VERSION"
