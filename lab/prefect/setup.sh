"$LAB/python.sh" "$PWD" "prefect==$VERSION"
