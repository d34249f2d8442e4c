"$LAB/debian.sh" "$PWD" "mediawiki=$VERSION" php8.2-cli php8.2-sqlite3 php8.2-mbstring php8.2-xml php8.2-intl
