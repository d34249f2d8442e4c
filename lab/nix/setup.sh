"$LAB/debian.sh" "$PWD" "nix-bin=$VERSION"
