"$LAB/debian.sh" "$PWD" "calibre-bin=$VERSION" "calibre=$VERSION"
