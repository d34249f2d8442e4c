# Reads geometries, searches by place, adds one that the search finds, and is refused one of another kind.
. "$HERE/tool.sh"
before=$(spatialite "SELECT count(*) FROM shop")
test "$before" -ge 300
test "$(spatialite "SELECT ST_X(place) FROM shop WHERE id = 25")" = 5.0
test "$(spatialite "SELECT count(*) FROM long_road")" -eq 15
test "$(near '4.5, 0.5, 6.5, 2.5')" -eq 4
spatialite "INSERT INTO shop (name, turnover, place) VALUES ('Far', 1, MakePoint(100, $before, 4326))"
test "$(near "99, $before - 0.5, 101, $before + 0.5")" -eq 1
! spatialite "INSERT INTO shop (name, place) VALUES ('Line', ST_GeomFromText('LINESTRING(0 0, 1 1)', 4326))" || exit 1
test "$(spatialite "SELECT count(*) FROM shop")" -eq $((before + 1))
test "$(spatialite "SELECT CheckSpatialIndex('shop', 'place')")" -eq 1
