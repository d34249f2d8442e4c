"$LAB/debian.sh" "$PWD" "gnucash=$VERSION" "python3-gnucash=$VERSION" "libdbd-sqlite3"
