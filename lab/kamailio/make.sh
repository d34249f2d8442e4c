. "$HERE/tool.sh"
kamdbctl create "$DB_PATH"
for user in $(seq -f user%g 10); do
  kamctl add "$user" "secret-of-$user"
  kamctl alias_db add "alias-of-$user@lab.test" "$user@lab.test"
done
kamctl db exec "INSERT INTO dispatcher (setid, destination) VALUES (1, 'sip:192.0.2.1')"
kamctl db exec "INSERT INTO htable (key_name, key_value, expires) VALUES ('words', 'many words', 0)"
/usr/bin/python3 "$HERE/phone.py" $(seq -f user%g 10)
