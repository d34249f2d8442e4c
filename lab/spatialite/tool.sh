# SpatiaLite's own shell, which ends at the first error.
spatialite() { LD_LIBRARY_PATH="$LIBRARIES" "$PROGRAM/root/usr/bin/spatialite" -silent -bail -batch -list places.sqlite "$@"; }
near() {
  spatialite "SELECT count(*) FROM shop WHERE rowid IN
    (SELECT rowid FROM SpatialIndex WHERE f_table_name = 'shop' AND search_frame = BuildMbr($1))"
}
