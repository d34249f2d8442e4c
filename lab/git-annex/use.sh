# Lists and checks all files, adds one twice, changes it, drops and gets one, exports again, and looks for what nothing needs.
. "$HERE/tool.sh"
cd annex
before=$(git annex find --include '*' | wc -l)
test "$before" -ge 30
test "$(cat 'part1/grün 5')" = 'text 5'
name="file$(date +%s%N)"
echo "$name" >"$name"
cp "$name" "copy of $name"
git annex add --quiet "$name" "copy of $name"
git commit --quiet -m "Adds $name"
test "$(git annex lookupkey "$name")" = "$(git annex lookupkey "copy of $name")"
key=$(git annex lookupkey "$name")
echo "more of $name" >>"$name"
git add "$name"
git commit --quiet -m "Changes $name"
test "$(git annex lookupkey "$name")" != "$key"
git annex export --quiet HEAD --to there
grep -q "more of $name" ".git/there/$name"
git annex drop --quiet 'part2/grün 6'
test "$(git annex find --not --in here)" = 'part2/grün 6'
git annex get --quiet --from kept 'part2/grün 6'
test "$(cat 'part2/grün 6')" = 'text 6'
git annex fsck --quiet --more
git annex fsck --quiet --incremental
git rm --quiet "copy of $name"
git commit --quiet -m "Removes the copy of $name"
git annex unused | grep -q "$key"
test "$(git annex find --include '*' | wc -l)" -eq $((before + 1))
