. "$HERE/tool.sh"
maintain install --dbtype sqlite --dbpath "$PWD/data" --confpath "$PWD" --pass secret-of-the-laboratory \
  --server http://localhost --scriptpath /wiki Lab Admin
echo '$wgJobRunRate = 0; $wgLocalisationCacheConf["store"] = "db";' >>LocalSettings.php
export MW_CONFIG_FILE="$PWD/LocalSettings.php"
for number in $(seq 30); do
  echo "Words$number in grün, [[Page $((number - 1))]], [[Missing $number]], https://host$number.test/ [[Category:Kind $((number % 3))]]" |
    maintain edit --user Admin --summary "Summary $number" "Page $number"
done
for number in 1 2 3 4; do
  echo "Line $number of a page with a history" | maintain edit --user Admin "Page 7"
done
maintain createAndPromote Ada secret-of-the-laboratory-too
maintain runJobs
maintain rebuildall
maintain initSiteStats --update
