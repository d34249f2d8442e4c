"$LAB/python.sh" "$PWD" "jupyterhub==$VERSION"
