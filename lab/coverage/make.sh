mkdir parts
for number in 1 2 3 4 5 6; do
  sed "s/NUMBER/$number/g" "$HERE/part.py" >"parts/part$number.py"
done
printf '[run]\nbranch = True\ndynamic_context = test_function\nsource = parts\n' >.coveragerc
printf '[run]\ndynamic_context = test_function\nsource = parts\ndata_file = lines.coverage\n' >lines.coveragerc
for settings in .coveragerc lines.coveragerc; do
  "$PROGRAM/venv/bin/coverage" run --rcfile=$settings parts/part1.py 4
  for number in 2 3 4 5 6; do
    "$PROGRAM/venv/bin/coverage" run --rcfile=$settings --append parts/part$number.py "$number"
  done
  "$PROGRAM/venv/bin/coverage" report --rcfile=$settings
done
