. "$HERE/tool.sh"
mkdir rpmdb
"$root/usr/bin/rpmdb" --define "_dbpath $PWD/rpmdb" --define "_db_backend sqlite" --initdb
for number in 1 2 3 4 5 6 7 8; do
  package "lab$number"
  rpm --install --justdb --nodeps --noscripts "lab$number.rpm"
done
test "$(rpm -qa | grep -c '^lab')" -eq 8
