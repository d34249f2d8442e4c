root="$PROGRAM/root"
export LD_LIBRARY_PATH="$LIBRARIES" RPM_CONFIGDIR="$root/usr/lib/rpm"
rpm() { "$root/usr/bin/rpm" --define "_dbpath $PWD/rpmdb" --define '_db_backend sqlite' --nosignature "$@"; }
# package NAME: builds a package of one file, with whatever rpm keeps an index of.
package() {
  sed "s/NAME/$1/g" "$HERE/package.spec" >"$1.spec"
  PATH="$root/usr/bin:$PATH" "$root/usr/bin/rpmbuild" --quiet --define "_topdir $PWD/build" --define "_rpmdir $PWD" \
    --define '_rpmfilename %{NAME}.rpm' --define '__os_install_post %{nil}' --define "_rpmconfigdir $RPM_CONFIGDIR" --nodeps -bb "$1.spec"
}
