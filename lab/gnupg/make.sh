. "$HERE/tool.sh"
mkdir -m 700 keys signer
# Keys are made and used for signing in another folder, so that those of others are seen here for the first time.
GNUPGHOME="$PWD/signer" agent="--agent-program=$PROGRAM/root/usr/bin/gpg-agent"
for number in $(seq 12); do
  gpg --passphrase '' --quick-gen-key "Grün $number <user$number@lab.test>" ed25519 sign never
done
gpg --passphrase '' --quick-gen-key 'Ada <user3@lab.test>' ed25519 sign never
gpg --passphrase '' --quick-gen-key 'Bob <bob@lab.test>' default default never
for number in $(seq 12); do
  for message in 1 2 3 4 5 6 7 8 9; do
    echo "message $message of $number" >"$number.$message"
    gpg --local-user "Grün $number <user$number@lab.test>" --output "$number.$message.gpg" --sign "$number.$message"
  done
done
gpg --output all.gpg --export
gpg --output bob.gpg --export bob@lab.test
"$PROGRAM/root/usr/bin/gpgconf" --homedir "$GNUPGHOME" --kill gpg-agent
GNUPGHOME="$PWD/keys" agent=--no-autostart
gpg --import all.gpg
for number in $(seq 12); do
  test "$(seen "$number.1.gpg")" -eq 1
  test "$(seen "$number.2.gpg")" -eq 2
done
rm -r signer
echo 3 >next
