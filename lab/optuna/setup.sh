"$LAB/python.sh" "$PWD" "optuna==$VERSION"
