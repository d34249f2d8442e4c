"$LAB/python.sh" "$PWD" "coverage==$VERSION"
