# Reports what is there, adds a run of another program that takes other ways, and reports that too.
coverage="$PROGRAM/venv/bin/coverage"
covered() { "$coverage" json --rcfile=$1 -q -o report.json; "$PROGRAM/venv/bin/python" -c '
import json, sys
files = json.load(open("report.json"))["files"]
assert sys.argv[1] in files, files.keys()
print(sum(len(file["executed_lines"]) + file["summary"].get("covered_branches", 0) for file in files.values()))' "$2"; }
for settings in .coveragerc lines.coveragerc; do
  before=$(covered $settings parts/part3.py)
  part="parts/part$(date +%s%N).py"
  sed "s/NUMBER/7/g" "$HERE/part.py" >"$part"
  "$coverage" run --rcfile=$settings --append "$part" 9
  test "$(covered $settings "$part")" -gt "$before"
  "$coverage" report --rcfile=$settings --contexts='.*test_size' | grep 'part1.py .* [1-9][0-9]*%'
done
