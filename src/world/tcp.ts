import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quote } from '../core/quote.ts';
import { readKnown } from './read.ts';

/** A connection tried from the host. */
export interface TcpQuery {
  host: string;
  port: number;
  /** Seconds. */
  timeout?: number;
}

export interface TcpFact {
  /** `none`: the host has nothing to connect with (curl, bash, nc, perl). */
  state: 'open' | 'closed' | 'silent' | 'unresolved' | 'none';
}

export function tcp(world: WorldView, query: TcpQuery): TcpFact {
  return readKnown<TcpFact>(world, 'tcp', tcpKey(query).id);
}

export function tcpKey({ host, port, timeout }: TcpQuery): FactKey {
  return { family: 'tcp', id: JSON.stringify({ host, port, timeout }) };
}

export const tcpFamily: FactFamily<TcpFact> = {
  name: 'tcp',
  refreshed: true,
  guarded: false,
  library: () => functions,
  script: (keys) => keys.map((key) => call(JSON.parse(key.id) as TcpQuery)).join('\n'),
  parse(record) {
    const state = states[record];
    if (!state) throw new Error(`unreadable answer to a connection: ${JSON.stringify(record.slice(0, 80))}`);
    return { state: 'known', raw: record, value: { state } };
  },
};

const states: Record<string, TcpFact['state']> = { o: 'open', c: 'closed', s: 'silent', u: 'unresolved', n: 'none' };

/**
 * bash ends as soon as it is connected. curl's `telnet:` then waits for the other side until its time is over, so its
 * time of connecting tells, not its exit code (6: no such name, 7: refused or no route, 28: time is over). Else nc or
 * perl. Under `timeout` a code of 124 is silence.
 */
const functions = `kf_tcp() {
  if command -v timeout >/dev/null 2>&1 && command -v bash >/dev/null 2>&1; then
    kf_h=$1; kf_h=\${kf_h#[}; kf_h=\${kf_h%]}
    kf_o=$(timeout "$3" bash -c 'exec 3<>"/dev/tcp/$1/$2"' - "$kf_h" "$2" 2>&1); kf_r=$?
    case $kf_r in 0) printf o;; 124|143) printf s;; *) case $kf_o in *resol*|*'not known'*) printf u;; *) printf c;; esac;; esac
  elif command -v curl >/dev/null 2>&1; then
    kf_o=$(curl -q -s -o /dev/null -m "$3" -w '%{time_connect} ' "telnet://$1:$2" </dev/null 2>/dev/null); kf_r=$?
    case $kf_o in
      *[1-9]*) printf o;;
      *) case $kf_r in 0) printf o;; 6) printf u;; 28) printf s;; *) printf c;; esac;;
    esac
  elif command -v timeout >/dev/null 2>&1; then
    kf_h=$1; kf_h=\${kf_h#[}; kf_h=\${kf_h%]}
    if command -v nc >/dev/null 2>&1; then timeout "$3" nc "$kf_h" "$2" </dev/null >/dev/null 2>&1; kf_r=$?
    elif command -v perl >/dev/null 2>&1; then
      timeout "$3" perl -MIO::Socket::INET -e 'IO::Socket::INET->new(PeerAddr => $ARGV[0], PeerPort => $ARGV[1]) or exit 1' "$kf_h" "$2" >/dev/null 2>&1; kf_r=$?
    else printf n; kp_sep; return
    fi
    case $kf_r in 0) printf o;; 124|143) printf s;; *) printf c;; esac
  else printf n
  fi
  kp_sep
}`;

function call({ host, port, timeout = 5 }: TcpQuery): string {
  const address = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return `kf_tcp ${quote(address)} ${port} ${timeout}`;
}
