"$LAB/debian.sh" "$PWD" "firefox-esr=$VERSION"
