#!/bin/sh
# keeper.sh NSPAWN_PIDFILE CGROUPS_FILE COMMAND…: runs systemd-nspawn for one host as long as the host wants to be up.
# Its standard input is empty and its output the host's console log.
pidfile=$1 cgroups=$2
shift 2

while read -r folder; do
  echo $$ >"$folder/cgroup.procs" || exit 1
done <"$cgroups"

while :; do
  "$@" &
  child=$!
  # The same stamp as proc.ts: pid, start time, boot id of the machine.
  stat=$(cat "/proc/$child/stat")
  set_start() { start=${20}; }
  set_start ${stat##*) }
  echo "$child $start $(cat /proc/sys/kernel/random/boot_id)" >"$pidfile"
  wait "$child"
  code=$?
  # 133 says that the host rebooted from inside.
  [ "$code" = 133 ] || exit "$code"
done
