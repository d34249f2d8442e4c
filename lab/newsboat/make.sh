. "$HERE/feed.sh"
feed 80 >feed.xml
echo "file://$PWD/feed.xml" >urls
: >config
newsboat -x reload
