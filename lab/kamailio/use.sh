# Adds a subscriber with an alias, registers him and an old one over SIP, keeps messages for both, and looks at what is kept.
. "$HERE/tool.sh"
count() { sqlite3 "$DB_PATH" "SELECT count(*) FROM $1"; }
before=$(count subscriber)
test "$before" -ge 10
test "$(count acc)" -ge 10
user="user$(date +%s%N)"
kamctl add "$user" "secret-of-$user"
kamctl alias_db add "alias-of-$user@lab.test" "$user@lab.test"
/usr/bin/python3 "$HERE/phone.py" user3 "$user"
test "$(count "location WHERE username = '$user'")" -eq 1
test "$(count "silo WHERE username = '$user' AND CAST(body AS TEXT) = 'Grün for $user'")" -eq 1
kamctl db show subscriber | grep -q "$user"
kamctl passwd "$user" other
test "$(count subscriber)" -eq $((before + 1))
