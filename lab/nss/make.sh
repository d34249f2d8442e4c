. "$HERE/tool.sh"
mkdir nssdb
echo secret-of-the-laboratory >password
head -c 64 /dev/urandom >noise
certutil -N
for number in 1 2 3 4 5 6; do certificate "Lab $number" "$number"; done
certutil -L
