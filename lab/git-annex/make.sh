. "$HERE/tool.sh"
printf '[user]\nname = lab\nemail = lab@lab.test\n' >gitconfig
git init --quiet annex
cd annex
git annex init lab
for number in $(seq 30); do
  mkdir -p "part$((number % 4))"
  echo "text $number" >"part$((number % 4))/grün $number"
done
git annex add --quiet .
git commit --quiet -m 'All files'
git annex adjust --unlock
mkdir .git/there .git/kept
there=11111111-2222-4333-8444-555555555555
git annex initremote there uuid=$there type=directory directory=.git/there encryption=none exporttree=yes importtree=yes
git annex initremote kept type=directory directory=.git/kept encryption=none chunk=8
git annex export --quiet HEAD --to there
git annex copy --quiet --to kept
git annex fsck --quiet --incremental
