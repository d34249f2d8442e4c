"$LAB/debian.sh" "$PWD" "rpm=$VERSION"
