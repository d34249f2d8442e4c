"$LAB/debian.sh" "$PWD" "gpg=$VERSION" "gpg-agent=$VERSION" "gpgconf=$VERSION"
