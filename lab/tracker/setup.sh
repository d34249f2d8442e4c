"$LAB/debian.sh" "$PWD" "tracker=$VERSION" "gir1.2-tracker-3.0=$VERSION" python3-gi
