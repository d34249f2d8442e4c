# Counts unread articles, reloads a feed that has one more, and marks what another machine has read.
. "$HERE/feed.sh"
unread() { newsboat -x print-unread | sed 's/[^0-9]//g'; }
before=$(unread)
count=$(grep -o '<item>' feed.xml | wc -l)
feed $((count + 2)) >feed.xml
newsboat -x reload
test "$(unread)" -eq $((before + 2))
echo "g$((count + 1))" >read
newsboat -I read
test "$(unread)" -eq $((before + 1))
newsboat -E exported
grep -q '^g' exported
newsboat -X
