"$LAB/python.sh" "$PWD" "beets==$VERSION"
