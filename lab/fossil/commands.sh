# What make.sh and use.sh share.
export USER=lab FOSSIL_HOME="$PWD" FOSSIL_USER=lab
fossil() { LD_LIBRARY_PATH="$LIBRARIES" "$PROGRAM/root/usr/bin/fossil" "$@"; }
check_ins() { fossil timeline -R "$REPOSITORY" -n 0 -t ci -F %h | grep -c '^[0-9a-f]'; }
REPOSITORY="$PWD/project.fossil"
