"$LAB/debian.sh" "$PWD" "git-annex=$VERSION"
