# Sourced by scripts that take a library out of a Python package.
need_pip() {
  if "$python" -m pip --version >/dev/null 2>&1; then return; fi
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "$(basename "$0"): pip is missing; install it for $python" >&2
    exit 1
  fi
  echo "$(basename "$0"): installing python3-pip" >&2
  if [ "$(id -u)" -eq 0 ]; then as_root=""; else as_root="sudo"; fi
  $as_root apt-get update -qq >&2
  DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends python3-pip >&2
}
