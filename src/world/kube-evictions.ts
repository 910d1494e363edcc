import { utf8 } from '../core/bytes.ts';
import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quote } from '../core/quote.ts';
import { curl, kubectl, type Told, told } from './kube-api.ts';
import type { NodeQuery } from './kube-node.ts';

/** What the apiserver says to the eviction of a pod, tried without doing it. */
export interface TriedEviction {
  /** NAMESPACE/NAME. */
  pod: string;
  /** HTTP status: 201 it may go, 404 it is gone, 429 a PodDisruptionBudget forbids it now. */
  status: number;
  /** The apiserver's words, with the budget that forbids it. */
  message: string;
}

export function kubeEvictions(world: WorldView, query: NodeQuery): TriedEviction[] {
  return told<TriedEviction[]>(world, 'kube-evictions', kubeEvictionsKey(query).id);
}

export function kubeEvictionsKey({ api, node }: NodeQuery): FactKey {
  return { family: 'kube-evictions', id: JSON.stringify({ api, node }) };
}

/** Pods that a drain would evict, one in a line. */
const candidates = `{{range .items}}{{$of := ""}}{{range .metadata.ownerReferences}}{{if .controller}}{{$of = .kind}}{{end}}{{end}}\
{{$is := ""}}{{with .metadata.annotations}}{{with index . "kubernetes.io/config.mirror"}}{{$is = "mirror"}}{{end}}{{end}}\
{{if and (ne $of "DaemonSet") (eq $is "") (not .metadata.deletionTimestamp) (ne .status.phase "Succeeded") (ne .status.phase "Failed")}}\
{{.metadata.namespace}} {{.metadata.name}}
{{end}}{{end}}`;

/**
 * `?dryRun=All` makes the apiserver judge an eviction, budgets and all, and do nothing. Not guarded: budgets move by
 * themselves.
 */
export const kubeEvictionsFamily: FactFamily<Told<TriedEviction[]>> = {
  name: 'kube-evictions',
  refreshed: true,
  guarded: false,
  library: () => evictionLibrary,
  script: (keys) => keys.map((key) => call(JSON.parse(key.id) as NodeQuery)).join('\n'),
  parse(record) {
    const text = utf8(record);
    const at = text.lastIndexOf('\n');
    const value = text.slice(at + 1) === '0' ? { told: triedIn(text.slice(0, at)) } : { problem: lastLine(text, at) };
    return { state: 'known', raw: record, value };
  },
};

/**
 * `kf_evict SERVER NAMESPACE NAME UID QUERY CURL…`: leaves the HTTP status in `kf_code` and the answer on one line in
 * `kf_body`. Before 1.22 an eviction is of policy/v1beta1, since 1.25 only of policy/v1: the API tells which.
 */
export const evictionLibrary = `kf_group() {
  kf_g=$("$@" 2>/dev/null </dev/null | tr -d ' \\n' | sed -n 's/.*"name":"pods\\/eviction"[^}]*"version":"\\([a-z0-9]*\\)".*/\\1/p')
}
kf_evict() {
  kf_s=$1 kf_ns=$2 kf_n=$3 kf_u=$4 kf_q=$5; shift 5
  kf_d=; [ -z "$kf_u" ] || kf_d='"deleteOptions":{"preconditions":{"uid":"'$kf_u'"}},'
  kf_o=$(printf '{"apiVersion":"policy/%s","kind":"Eviction",%s"metadata":{"name":"%s","namespace":"%s"}}' "\${kf_g:-v1}" "$kf_d" "$kf_n" "$kf_ns" |
    "$@" --header 'Content-Type: application/json' --data-binary @- --write-out '\\n%{http_code}' "$kf_s/api/v1/namespaces/$kf_ns/pods/$kf_n/eviction$kf_q" 2>&1 | tr '\\n' ' ')
  kf_code=\${kf_o##* } kf_body=\${kf_o% *}
}`;

function call({ api, node }: NodeQuery): string {
  const words = ['get', 'pods', '--all-namespaces', `--field-selector=spec.nodeName=${node}`];
  const list = kubectl(api, [...words, '-o', `go-template=${candidates}`]);
  return `if kf_l=$(${list} 2>&1 </dev/null); then
  kf_group ${curl(api)} ${quote(`${api.server}/api/v1`)}
  printf '%s\\n' "$kf_l" | while read -r kf_a kf_b; do
    [ -n "$kf_a" ] || continue
    kf_evict ${quote(api.server)} "$kf_a" "$kf_b" '' '?dryRun=All' ${curl(api)}
    printf '%s/%s %s %s\\n' "$kf_a" "$kf_b" "$kf_code" "$kf_body"
  done
  printf 0
else printf '%s\\n1' "$kf_l"
fi; kp_sep`;
}

function triedIn(text: string): TriedEviction[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [, pod, status, body] = /^(\S+) (\d*) ?(.*)$/s.exec(line) ?? [];
      if (pod === undefined) throw new Error(`unreadable answer to an eviction: ${line.slice(0, 200)}`);
      return { pod, status: Number(status), message: evictionMessage(body ?? '') };
    });
}

/** `message` and, of a budget, its words in `details.causes`; anything else as it came. */
export function evictionMessage(body: string): string {
  const messages = [...body.matchAll(/"message": *"((?:[^"\\]|\\.)*)"/g)].map(
    ([, said]) => JSON.parse(`"${said}"`) as string,
  );
  return [...new Set(messages)].join(' ') || body.trim().slice(0, 300);
}

function lastLine(text: string, end: number): string {
  return (
    text
      .slice(0, end)
      .trim()
      .split('\n')
      .at(-1)
      ?.replace(/^error: /i, '') || 'kubectl does not run'
  );
}
