. "$HERE/tool.sh"
nix_store --init
mkdir -p nix/var/gcroots/auto
nix_store --add-root root --realise "$(nix_build 25)"
for number in 1 2 3 4 5 6 7 8; do
  echo "file $number" >"file$number"
  nix_store --add "file$number"
done
