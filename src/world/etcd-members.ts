import { utf8 } from '../core/bytes.ts';
import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quote, quoteAll } from '../core/quote.ts';
import { TaskFailure } from '../core/result.ts';
import { wait } from '../core/waits.ts';
import { readKnown } from './read.ts';

/** How a host asks a member of etcd. Paths are files on the host. */
export interface EtcdApi {
  url: string;
  ca: string;
  certificate: string;
  key: string;
}

export interface EtcdMember {
  /** As etcd numbers it, in decimal: it does not fit a JavaScript number. */
  id: string;
  /** Empty until it has started for the first time. */
  name: string;
  peers: string[];
  healthy: boolean;
}

/** All members, and whether each is healthy as seen from here. Throws TaskFailure when etcd does not tell. */
export function etcdMembers(world: WorldView, api: EtcdApi): EtcdMember[] {
  const answer = readKnown<EtcdMember[] | { problem: string }>(world, 'etcd-members', etcdMembersKey(api).id);
  if (Array.isArray(answer)) return answer;
  throw new TaskFailure(`etcd did not tell its members: ${answer.problem}`, {}, 'systemctl status etcd says how it is');
}

export function etcdMembersKey({ url, ca, certificate, key }: EtcdApi): FactKey {
  return { family: 'etcd-members', id: JSON.stringify({ url, ca, certificate, key }) };
}

/** Not guarded: members become healthy by themselves. */
export const etcdMembersFamily: FactFamily<EtcdMember[] | { problem: string }> = {
  name: 'etcd-members',
  refreshed: true,
  guarded: false,
  library: () => etcdLibrary,
  script: (keys) => keys.map((key) => call(JSON.parse(key.id) as EtcdApi)).join('\n'),
  parse: (record) => ({ state: 'known', raw: record, value: membersIn(utf8(record)) }),
};

/**
 * `kf_etcd URL PATH BODY CURL…`: etcd's JSON gateway. It is /v3 since 3.4, was /v3beta in 3.3; the answer is on one
 * line in `kf_o`, its status in `kf_code`.
 */
export const etcdLibrary = `kf_etcd() {
  kf_s=$1 kf_q=$2 kf_b=$3; shift 3
  for kf_v in v3 v3beta; do
    kf_o=$("$@" --data "$kf_b" --write-out '\\n%{http_code}' "$kf_s/$kf_v/cluster/member/$kf_q" 2>&1 </dev/null | tr '\\n' ' ')
    kf_code=\${kf_o##* } kf_o=\${kf_o% *}
    [ "$kf_code" = 404 ] || break
  done
}`;

export function etcdCurl({ ca, certificate, key }: Omit<EtcdApi, 'url'>): string {
  const fixed = ['curl', '-q', '--silent', '--show-error', '--max-time', String(wait('etcd').timeout), '--globoff'];
  return quoteAll([...fixed, '--cacert', ca, '--cert', certificate, '--key', key]);
}

function call(api: EtcdApi): string {
  return `kf_etcd ${quote(api.url)} list '{}' ${etcdCurl(api)}
printf '%s %s\\n' "$kf_code" "$kf_o"
for kf_u in $(printf %s "$kf_o" | grep -o '"clientURLs":\\["[^"]*"' | sed 's/.*"\\(http[^"]*\\)"$/\\1/'); do
  case $(${etcdCurl(api)} --max-time ${wait('health').timeout} "$kf_u/health" 2>/dev/null </dev/null) in *'"health":"true"'*) echo "healthy $kf_u" ;; esac
done; kp_sep`;
}

function membersIn(text: string): EtcdMember[] | { problem: string } {
  const [first = '', ...rest] = text.split('\n');
  const [, code, body = ''] = /^(\d+) ?(.*)$/s.exec(first) ?? [];
  if (code !== '200') return { problem: (body || first).trim().slice(0, 300) || 'no answer' };
  const healthy = new Set(rest.map((line) => line.replace(/^healthy /, '')));
  const { members = [] } = JSON.parse(body) as { members?: Told[] };
  return members.map(({ ID, name = '', peerURLs = [], clientURLs = [] }) => ({
    id: String(ID),
    name,
    peers: peerURLs,
    healthy: clientURLs.some((url) => healthy.has(url)),
  }));
}

interface Told {
  /** A string in the gateway's JSON, as all 64-bit numbers are. */
  ID: string;
  name?: string;
  peerURLs?: string[];
  clientURLs?: string[];
}
