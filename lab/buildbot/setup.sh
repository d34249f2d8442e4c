"$LAB/python.sh" "$PWD" "buildbot==$VERSION" "buildbot-www==$VERSION" "buildbot-worker==$VERSION"
