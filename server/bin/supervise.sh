#!/bin/sh
# Runs a program of server/dist, compiled before, and ends as it does:
#
#   supervise.sh STATUS PROGRAM [WORD …]
#
# STATUS is that of an end by SIGHUP, SIGINT or SIGTERM where the program cannot say one itself, because it is not there yet.
#
# npm passes SIGINT and SIGTERM on to its shell alone, which would leave behind what it runs, and takes a shell that was ended
# by a signal for a failure. So this is the shell: from its first moment on it passes on what it gets. Who gets a signal twice,
# as from a terminal, takes the second for the same.

# A large block of memory goes back to the system when it is let go of, instead of staying with glibc for the next one, and one
# arena has the small ones of all threads, few of which are busy at once: what large bodies leave behind is next to nothing
# instead of up to a quarter of a gigabyte.
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-1}"
export MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-1048576}"
export MALLOC_TRIM_THRESHOLD_="${MALLOC_TRIM_THRESHOLD_:-4194304}"

stopped=$1
program=$2
shift 2
asked=
child=

trap 'asked=1; if [ -n "$child" ]; then kill -TERM "$child" 2>/dev/null; fi' HUP INT TERM

# Runs a command and gives its status. A signal that comes while it is waited for ends the waiting, not the command.
run() {
  "$@" <&0 &
  child=$!
  if [ -n "$asked" ]; then kill -TERM "$child" 2>/dev/null; fi
  while :; do
    wait "$child" 2>/dev/null # which tells of an end by a signal
    status=$?
    kill -0 "$child" 2>/dev/null || break
  done
  child=
  if [ -n "$asked" ]; then
    case $status in 129 | 130 | 143) status=$stopped ;; esac
  fi
  return "$status"
}

here=$(dirname "$0")
node=${npm_node_execpath:-node}
run "$node" "$here/compile.js" || exit
# A signal that came before npm was ready to pass it on has ended npm alone.
if [ -n "$asked" ] || ! kill -0 "$PPID" 2>/dev/null; then exit "$stopped"; fi
run "$node" "$here/../dist/$program" "$@"
exit
