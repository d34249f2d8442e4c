"$LAB/debian.sh" "$PWD" "subversion=$VERSION"
