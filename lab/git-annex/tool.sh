# git-annex from the folder where it is unpacked, and a name for its commits.
export LD_LIBRARY_PATH="$LIBRARIES" PATH="$PROGRAM/root/usr/bin:$PATH"
export GIT_CONFIG_GLOBAL="$HOME/gitconfig" GIT_CONFIG_NOSYSTEM=1
