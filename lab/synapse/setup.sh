"$LAB/python.sh" "$PWD" "matrix-synapse==$VERSION"
