# Queries by name, file and what is provided, verifies the database, adds a package, and removes it again.
. "$HERE/tool.sh"
test "$(rpm -qa | grep -c '^lab')" -eq 8
test "$(rpm -qf /lab/lab3 2>/dev/null || rpm -q --whatprovides /lab/lab3)" = lab3-1-1.noarch
test "$(rpm -q --whatprovides lab-thing | wc -l)" -eq 8
"$root/usr/bin/rpmdb" --define "_dbpath $PWD/rpmdb" --verifydb
name="more$(date +%s%N)"
package "$name"
rpm --install --justdb --nodeps --noscripts "$name.rpm"
test "$(rpm -q --whatprovides lab-thing | wc -l)" -eq 9
rpm --erase --justdb --nodeps --noscripts "$name"
test "$(rpm -qa | grep -c '^lab')" -eq 8
rpm -qi lab5 | grep -q grün
