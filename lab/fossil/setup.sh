"$LAB/debian.sh" "$PWD" "fossil=$VERSION"
