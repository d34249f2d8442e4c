. "$HERE/tool.sh"
spatialite >made.txt <<'S'
SELECT InitSpatialMetaData(1);
CREATE TABLE shop (id INTEGER PRIMARY KEY, name TEXT NOT NULL, turnover REAL);
SELECT AddGeometryColumn('shop', 'place', 4326, 'POINT', 'XY');
SELECT CreateSpatialIndex('shop', 'place');
CREATE TABLE road (id INTEGER PRIMARY KEY, name TEXT);
SELECT AddGeometryColumn('road', 'line', 4326, 'LINESTRING', 'XY');
CREATE VIEW long_road AS SELECT id, name, ST_Length(line) AS length FROM road WHERE ST_Length(line) > 5;
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
INSERT INTO shop SELECT i, 'Bäckerei ' || i, i / 3.0, MakePoint(i % 20, i / 20, 4326) FROM n;
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
INSERT INTO road SELECT i, 'Road ' || i, ST_GeomFromText('LINESTRING(0 ' || i || ', ' || i || ' ' || i || ')', 4326) FROM n;
SELECT UpdateLayerStatistics();
S
test "$(near '4.5, 0.5, 6.5, 2.5')" -eq 4
