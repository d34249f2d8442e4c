"$LAB/debian.sh" "$PWD" "libsqlite3-mod-spatialite=$VERSION" spatialite-bin=5.0.1-2
