"$LAB/python.sh" "$PWD" "pyogrio==$VERSION" numpy==2.4.6 shapely==2.2.0
