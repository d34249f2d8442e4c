# Verifies signatures, one of them again, counts those of each key, sets policies, encrypts, and lists what is trusted.
. "$HERE/tool.sh"
next=$(cat next)
echo $((next + 1)) >next
test "$next" -le 9
for number in 1 5 12; do
  test "$(seen "$number.$next.gpg")" -eq "$next"
  test "$(seen "$number.1.gpg")" -eq "$next"
done
test "$(gpg --output - --quiet "7.$next.gpg" | grep -c "message $next of 7")" -eq 1
key=$(gpg --with-colons --list-keys "user$next@lab.test" | awk -F: '$1 == "fpr" { print $10; exit }')
gpg --tofu-policy bad "$key"
gpg --verify "$next.1.gpg" | grep -q 'TRUST_NEVER'
gpg --tofu-policy good "$key"
gpg --verify "$next.1.gpg" | grep -q 'TRUST_FULLY'
echo secret >secret
gpg --recipient bob@lab.test --output "secret.$next.gpg" --encrypt secret
gpg --with-colons --with-tofu-info --list-keys | grep -c '^tfs:' | grep -qx 14
