import { quote } from '../../core/quote.ts';
import { wait } from '../../core/waits.ts';
import { dpkgOperator, type PackageSpec } from './package-spec.ts';

/** One package transaction as the host runs it. */
export interface AptJob {
  /** Load the indexes first; a failure of that ends the job. */
  update?: { tries: number; maxDelay: number };
  /** URL of a package file to fetch; `fetched` stands for it in the runs. */
  fetch?: string;
  /** Arguments of apt-get, one run after the other. */
  runs: string[][];
  /** Seconds to wait for whoever holds dpkg's or apt's locks. */
  lockTimeout: number;
  /** How often a run that failed to fetch is tried, with the indexes loaded anew before each, and the pause between. */
  tries: number;
  delay: number;
  /** Versions that must be there at the end. */
  verify: PackageSpec[];
  /** What /usr/sbin/policy-rc.d answers meanwhile, so that packages start nothing (101). */
  policyRc?: number;
}

/**
 * POSIX sh text of the job. It is never cut (`onCut: finish`). apt-get waits for dpkg's lock by itself where it knows
 * how (1.9.11), for the lists' lock never: so a run that failed for a lock is tried again until the time is over, and
 * the message then names the holder. `apt-get update` exits 0 when an index failed: its `E:` and `Err:` lines count.
 */
export function aptScript(job: AptJob): string {
  return [
    environment,
    `kp_end=$(($(date +%s) + ${job.lockTimeout}))`,
    functions(job.lockTimeout),
    ...(job.policyRc === undefined ? [] : [policy(job.policyRc)]),
    'kp_repair_interrupted || exit $?',
    ...(job.update ? [`kp_update ${job.update.tries} ${job.update.maxDelay} || exit $?`] : []),
    ...(job.fetch === undefined ? [] : [fetch(job.fetch)]),
    ...job.runs.map((run) => `kp_try ${job.tries} ${job.delay} ${run.map(word).join(' ')} || exit $?`),
    ...job.verify.map(verify),
    'exit 0',
  ].join('\n');
}

/** Stands for the file that was fetched. */
export const fetched = '<fetched>';

function word(text: string): string {
  return text === fetched ? '"$kp_d/package.deb"' : quote(text);
}

function fetch(url: string): string {
  const from = quote(url);
  return `if command -v curl >/dev/null 2>&1; then curl -fsSL -o "$kp_d/package.deb" ${from}; else wget -q -O "$kp_d/package.deb" ${from}; fi ||
  { kp_say ${quote(`${url} could not be fetched`)}; exit 100; }`;
}

const environment = [
  'export DEBIAN_FRONTEND=noninteractive DEBIAN_PRIORITY=critical NEEDRESTART_MODE=l NEEDRESTART_SUSPEND=1',
  'export APT_LISTCHANGES_FRONTEND=none UCF_FORCE_CONFFOLD=1 LC_ALL=C LANGUAGE=',
  // dpkg refuses to work without them, and su to an account may leave them out.
  'case :$PATH: in *:/usr/sbin:*) ;; *) PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin; export PATH;; esac',
].join('\n');

/**
 * kp_run keeps both streams live and in files for judging; the exit code comes through a file, since a pipe loses it.
 */
function functions(lockTimeout: number): string {
  return `kp_d=$(mktemp -d) || exit 1
trap 'rm -rf "$kp_d"' EXIT
kp_fresh=
kp_run() {
  { { "$@" 3>&- 4>&-; echo $? >"$kp_d/rc"; } 2>&1 >&4 4>&- | tee "$kp_d/err" >&2; } 4>&1 | tee "$kp_d/out"
  return "$(cat "$kp_d/rc")"
}
kp_apt() { kp_run apt-get -y -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=${lockTimeout} "$@"; }
kp_says() { grep -Eq "$1" "$kp_d/err" "$kp_d/out"; }
kp_say() { printf 'kpush: %s\\n' "$1" >&2; }
kp_locked() {
  kp_says 'Could not get lock|Unable to acquire the dpkg frontend lock|Unable to lock (the administration )?directory|locked by another process' &&
    ! kp_says 'Permission denied|are you root|Read-only file system'
}
kp_holder() {
  kp_p=$(sed -n 's/.*held by process \\([0-9][0-9]*\\).*/\\1/p; s/.*with pid \\([0-9][0-9]*\\).*/\\1/p' "$kp_d/err" | head -n 1)
  for kp_f in /var/lib/dpkg/lock-frontend /var/lib/dpkg/lock /var/lib/apt/lists/lock /var/cache/apt/archives/lock; do
    [ -z "$kp_p" ] || break
    kp_i=$(stat -c %i "$kp_f" 2>/dev/null) || continue
    kp_p=$(awk -v i=":$kp_i" '$2 != "->" && substr($6, length($6) - length(i) + 1) == i { print $5; exit }' /proc/locks)
  done
  if [ -n "$kp_p" ]; then printf 'process %s (%s)' "$kp_p" "$(tr '\\0' ' ' 2>/dev/null <"/proc/$kp_p/cmdline" | cut -c 1-120)"; else printf 'another process'; fi
}
kp_patient() {
  while :; do
    "$@" && return 0
    kp_rc=$?
    kp_locked || return $kp_rc
    kp_h=$(kp_holder)
    if [ "$(date +%s)" -ge "$kp_end" ]; then
      kp_say "the package manager is still locked after ${lockTimeout} s, by $kp_h"; return $kp_rc
    fi
    kp_say "waits for $kp_h"
    sleep ${wait('apt').interval}
  done
}
kp_repair_interrupted() {
  for kp_f in /var/lib/dpkg/updates/[0-9]*; do
    [ -e "$kp_f" ] || continue
    kp_configure; return $?
  done
}
kp_configure() {
  kp_say 'dpkg was interrupted earlier: configuring what it left'
  kp_patient kp_run dpkg --configure -a --force-confdef --force-confold
}
kp_update() {
  kp_n=1
  while :; do
    kp_patient kp_apt update
    kp_rc=$?
    if [ $kp_rc = 0 ] && ! kp_says '^(E:|Err:)'; then kp_fresh=1; return 0; fi
    [ $kp_rc != 0 ] || kp_rc=100
    if [ $kp_n -ge "$1" ]; then kp_say 'the package indexes could not be loaded'; return $kp_rc; fi
    kp_w=$((1 << kp_n)); [ $kp_w -le "$2" ] || kp_w=$2
    sleep $kp_w; kp_n=$((kp_n+1))
  done
}
kp_try() {
  kp_left=$1 kp_wait=$2 kp_fixed=; shift 2
  while :; do
    kp_patient kp_apt "$@"
    kp_rc=$?
    if [ $kp_rc = 0 ]; then
      ! kp_says '^E: ' || return 100
      return 0
    fi
    if [ -z "$kp_fixed" ] && kp_says 'dpkg --configure -a'; then kp_fixed=1; kp_configure || return $?; continue; fi
    if [ -z "$kp_fixed" ] && kp_says 'fix-broken|apt-get -f install'; then kp_fixed=1; kp_patient kp_apt -f install; continue; fi
    kp_left=$((kp_left-1))
    [ $kp_left -gt 0 ] || return $kp_rc
    if kp_says 'Unable to locate package|no installation candidate|was not found'; then
      [ -z "$kp_fresh" ] || return $kp_rc
      kp_say 'loads the package indexes anew'
    else
      kp_says '${fetchTrouble}' || return $kp_rc
      kp_say "loads the package indexes anew before trying again in $kp_wait s"
      sleep $kp_wait
    fi
    if kp_patient kp_apt update; then kp_fresh=1; else kp_say 'the package indexes could not be loaded'; fi
  done
}`;
}

/** What a mirror or the network says when it may go better the next time. */
const fetchTrouble = [
  'Failed to fetch|Unable to fetch|Hash Sum mismatch|unexpected size|Temporary failure|Could not (resolve|connect)',
  'Connection (failed|timed out|refused)|404 +Not Found|index files failed',
].join('|');

/** Packages ask this program before they start or stop anything; one that is there is put back afterwards. */
function policy(code: number): string {
  const path = '/usr/sbin/policy-rc.d';
  return `kp_policy=${path}
[ ! -e $kp_policy ] || mv $kp_policy "$kp_d/policy" || exit 1
trap 'rm -f ${path}; [ ! -e "$kp_d/policy" ] || mv "$kp_d/policy" ${path}; rm -rf "$kp_d"' EXIT
printf '#!/bin/sh\\nexit ${code}\\n' >$kp_policy && chmod 0755 $kp_policy || exit 1`;
}

function verify(spec: PackageSpec): string {
  if (!spec.version || !spec.operator || spec.operator === '=') return ':';
  const name = quote(spec.name);
  return `kp_v=$(dpkg-query -W -f='\${Version}' ${name} 2>/dev/null) && dpkg --compare-versions "$kp_v" ${dpkgOperator(spec.operator)} ${quote(spec.version)} || { kp_say ${quote(`${spec.name}: version ${spec.operator} ${spec.version} is asked for, installed is`)}" \${kp_v:-none}"; exit 100; }`;
}
