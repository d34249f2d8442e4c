# Lists certificates and keys with the password, verifies one, makes one, changes what it is trusted for, and deletes it.
. "$HERE/tool.sh"
before=$(certutil -L | grep -c '^Lab')
keys=$(certutil -K | grep -c '^<')
test "$before" -ge 6
certutil -V -n 'Lab 3' -u L
name="Lab $(date +%s%N)"
certificate "$name" "$(date +%s)"
test "$(certutil -L | grep -c '^Lab')" -eq $((before + 1))
certutil -M -n "$name" -t "TC,,"
certutil -L | grep "^$name" | grep CT
certutil -F -n "$name"
test "$(certutil -K | grep -c '^<')" -eq "$keys"
certutil -L -n 'Lab 2' -a | grep -q 'BEGIN CERTIFICATE'
