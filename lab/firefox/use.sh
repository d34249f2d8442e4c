# Finds old pages, icons and cookies, adds new ones with bookmarks and tags, and removes a bookmark.
python3 "$HERE/browser.py" use
