"$LAB/debian.sh" "$PWD" "libnss3-tools=$VERSION"
