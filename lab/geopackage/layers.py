"""layers.py make|use: writes layers of points and areas with GDAL, or reads them, searches by place, and adds more."""
import sys

import numpy
import shapely
from pyogrio.raw import read, write

FILE = "towns.gpkg"


def points(first, last, append):
    numbers = numpy.arange(first, last)
    shapes = shapely.to_wkb(shapely.points(numbers % 50, numbers // 50 / 3))
    fields = [numpy.array([f"D\u00f6rfli {number}" for number in numbers], dtype=object), numbers * 1000, numbers / 7]
    write(FILE, shapes, fields, ["name", "people", "area"], layer="towns", geometry_type="Point", crs="EPSG:4326", driver="GPKG", append=append)


def areas():
    shapes = shapely.to_wkb(shapely.box(numpy.arange(20), 0, numpy.arange(20) + 1.5, 4))
    names = numpy.array([f"County {number}" for number in range(20)], dtype=object)
    write(FILE, shapes, [names], ["name"], layer="counties", geometry_type="Polygon", crs="EPSG:3857", driver="GPKG", append=True)


if sys.argv[1] == "make":
    points(0, 300, False)
    areas()
else:
    shapes = lambda **options: shapely.from_wkb(read(FILE, **options)[2])
    before = shapes(layer="towns")
    assert len(before) >= 300 and before[51].equals(shapely.Point(1, 1 / 3)), before[51]
    assert len(shapes(layer="counties")) == 20
    near = len(shapes(layer="towns", bbox=(9.5, -1, 12.5, 1)))
    assert near >= 12, near
    points(10 + 50 * len(before), 13 + 50 * len(before), True)
    after = shapes(layer="towns")
    assert len(after) == len(before) + 3
    far = 50 * len(before) // 50 / 3
    assert len(shapes(layer="towns", bbox=(9.5, far - 0.1, 12.5, far + 0.1))) == 3
