# The programs of Subversion, with settings of their own, and a working copy in checkout.
export LD_LIBRARY_PATH="$LIBRARIES"
repository="$PWD/repository"
svn() { "$PROGRAM/root/usr/bin/svn" --config-dir "$HOME/config" --username lab --non-interactive "$@"; }
svnadmin() { "$PROGRAM/root/usr/bin/svnadmin" "$@"; }
svnlook() { "$PROGRAM/root/usr/bin/svnlook" "$@"; }
