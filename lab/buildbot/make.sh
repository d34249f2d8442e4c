PATH="$PROGRAM/venv/bin:$PATH"
buildbot create-master .
rm -f master.cfg.sample
cp "$HERE/master.cfg" master.cfg
MASTER_PORT=1 buildbot upgrade-master .
python "$HERE/master.py" 8
