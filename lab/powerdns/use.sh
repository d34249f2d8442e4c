# Lists and checks zones, adds and replaces records, signs a new zone, and deletes it.
. "$HERE/tool.sh"
records() { pdnsutil list-zone example.test | grep -c 'IN.*A.*192'; }
before=$(records)
test "$before" -ge 40
pdnsutil check-zone example.test
name="h$(date +%s%N)"
pdnsutil add-record example.test "$name" A 60 192.0.2.99
test "$(records)" -eq $((before + 1))
pdnsutil replace-rrset example.test "$name" A 60 192.0.2.98
pdnsutil list-zone example.test | grep -qi "$name.*192.0.2.98"
pdnsutil create-zone "$name.test" ns1.example.test
pdnsutil secure-zone "$name.test"
pdnsutil show-zone "$name.test" | grep -q 'CSK'
pdnsutil delete-zone "$name.test"
pdnsutil get-meta example.test ALSO-NOTIFY | grep -q 192.0.2.1
