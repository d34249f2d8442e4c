"$LAB/python.sh" "$PWD" "anki==$VERSION"
