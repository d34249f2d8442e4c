"$LAB/debian.sh" "$PWD" "newsboat=$VERSION"
