# Firefox has its profile open, and goes on to add to it.
exec python3 "$HERE/browser.py" wait
