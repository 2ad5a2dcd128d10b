# Sourced by every finding: installs pinned packages in a folder that is removed at the end, runs a program there,
# and fails when it prints something else than what was seen.

set -eu
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
trap 'exit 130' INT TERM
cd "$here"

# install PACKAGE@VERSION…: from the npm registry, without running install scripts.
install() {
  echo '{ "private": true }' >package.json
  npm install --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error --save-exact "$@" >/dev/null
  echo "$* on Node $(node --version)"
}

# run [ZONE…]: the module on standard input, once in each time zone (UTC).
run() {
  cat >program.mjs
  for zone in "${@:-UTC}"; do TZ=$zone node program.mjs >>output; done
}

# seen: standard input is what was printed by all runs when this finding was made.
seen() {
  cat >expected
  cat output
  if ! diff expected output >difference; then
    echo "this has changed (< then, > now):" >&2
    cat difference >&2
    exit 1
  fi
}
