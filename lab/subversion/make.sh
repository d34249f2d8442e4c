. "$HERE/tool.sh"
svnadmin create repository
svn checkout "file://$repository" checkout
cd checkout
svn mkdir trunk branches
for number in $(seq 20); do
  mkdir -p "trunk/part$((number % 4))"
  echo "text $number" >"trunk/part$((number % 4))/grün$number.txt"
done
svn add trunk/part*
svn propset lab:depth grün trunk/part1/grün5.txt
svn commit -m 'All files'
for number in 1 2 3 4; do
  echo "line $number" >>trunk/part0/grün4.txt
  svn commit -m "Line $number"
done
svn copy trunk branches/one
svn commit -m 'A branch'
svn update
svn changelist later trunk/part2/grün2.txt
echo more >>trunk/part2/grün2.txt
svn move trunk/part3 trunk/moved
svn delete trunk/part2/grün6.txt
svn lock trunk/part0/grün8.txt -m 'Mine'
