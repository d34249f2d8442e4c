. "$HERE/commands.sh"
fossil init project.fossil
mkdir checkout
cd checkout
fossil open ../project.fossil
for number in 1 2 3 4 5 6 7 8; do
  echo "line $number grün" >>notes.txt
  echo "file $number" >"file$number.txt"
  fossil add "file$number.txt" notes.txt
  fossil commit --no-warnings -m "Check-in $number" --tag "t$number"
done
fossil fts-config -R ../project.fossil enable cdtwef
fossil fts-config -R ../project.fossil index on
printf 'A page\n' | fossil wiki create Plan -R ../project.fossil
fossil ticket add title 'A fault' status Open -R ../project.fossil
