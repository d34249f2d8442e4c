"$LAB/python.sh" "$PWD" "diskcache==$VERSION"
