# Reads the status and an old file, commits a file and a branch, moves and reverts, and has the whole repository verified.
. "$HERE/tool.sh"
cd checkout
svn status --changelist later | grep -q 'M.*grün2.txt'
svn status | grep -q '> moved to trunk/moved'
svn status | grep -q 'K.*trunk/part0/grün8.txt'
test "$(svn cat -r 3 trunk/part0/grün4.txt | wc -l)" -eq 3
test "$(svn propget lab:depth trunk/part1/grün5.txt)" = grün
before=$(svnlook youngest "$repository")
name="file$(date +%s%N).txt"
echo "content of $name" >"trunk/$name"
svn add "trunk/$name"
svn commit -m "Adds $name" "trunk/$name"
cp "trunk/$name" "trunk/copy of $name"
svn add "trunk/copy of $name"
svn commit -m "Adds a copy of $name" "trunk/copy of $name"
svn update
svn copy "^/trunk" "^/branches/$name" -m "A branch of $name"
svn update
test -e "branches/$name/$name"
test "$(svn info --show-item last-changed-revision "trunk/$name")" -eq $((before + 1))
echo other >"trunk/$name"
svn revert "trunk/$name"
grep -q "content of $name" "trunk/$name"
svn cleanup
svn status | grep -q 'D.*trunk/part2/grün6.txt'
svn log -q "trunk/$name" | grep -q "r$((before + 1)) "
svnadmin verify --quiet "$repository"
test "$(svnlook youngest "$repository")" -eq $((before + 3))
