"$LAB/python.sh" "$PWD" "sqlite-utils==$VERSION" datasette==0.65.5
