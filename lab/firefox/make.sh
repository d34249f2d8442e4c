python3 "$HERE/browser.py" make
