# Follows references both ways, builds more, collects what nothing needs, exports, imports, and has every path verified.
. "$HERE/tool.sh"
old=$(readlink root)
test "$(nix_store --query --requisites "$old" | wc -l)" -eq 27
test "$(nix_store --query --references "$old" | grep -c -e path25 -e last25)" -eq 2
nix_store --query --deriver "$old" | grep -q 'last25.drv$'
begin=$(nix_store --query --requisites "$old" | grep begin)
test "$(nix_store --query --referrers-closure "$begin" | grep -c 'path[0-9]*$')" -eq 25
! nix_store --delete "$begin" || exit 1
name="file$(date +%s%N)"
echo "$name" >"$name"
path=$(nix_store --add "$name")
nix_store --query --hash "$path" | grep -q sha256
more=$(nix_build $((30 + $(date +%s) % 9)))
test "$(cut -d' ' -f2 "$more")" = "$more"
nix_store --dump-db >dumped
grep -q "$old" dumped
nix_store --export "$path" >exported
nix_store --delete "$path"
nix_store --import <exported
nix_store --gc
test ! -e "$more"
test "$(cat "$begin")" = grün
nix_store --verify --check-contents 2>&1 | tee verified
! grep -q -e error -e missing -e modified verified || exit 1
for number in 1 2 3 4 5 6 7 8; do nix_store --add "file$number"; done
