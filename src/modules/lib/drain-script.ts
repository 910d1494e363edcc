import { quote } from '../../core/quote.ts';
import { wait } from '../../core/waits.ts';
import { curl, type KubeApi, kubectl } from '../../world/kube-api.ts';
import { evictionLibrary } from '../../world/kube-evictions.ts';
import { type KubePod, podsCommand } from '../../world/kube-pods.ts';

export type Rung = 'evict' | 'delete' | 'skip';

export interface Drain {
  api: KubeApi;
  node: string;
  pods: readonly KubePod[];
  /** In this order: each is tried for its time, then the next. */
  ladder: readonly Rung[];
  /** Seconds for a controller manager to see that the node is cordoned; it does so within one where it is well. */
  notice: number;
  /** Seconds for each rung that takes time. */
  evict: number;
  delete: number;
}

/**
 * Evicts pods, waits until they are gone, and climbs the ladder when time is up. A pod that a budget protects is asked
 * for again after 1, 2, 4, 5, 5 … seconds, or when the apiserver says. A pod that is gone and another of its name are
 * told apart by the uid. None is evicted before a controller manager has seen the cordon: one that has only just begun
 * to lead leaves pods that go in their services for a while, and nothing takes their place. Ends with 1 and the reason of every pod that is left, unless the last rung is skip.
 */
export function drainScript(drain: Drain): string {
  const { api, node, ladder } = drain;
  const words = drain.pods.map(({ namespace, name, uid }) => `${namespace}/${name}/${uid}`);
  const leaving = drain.pods.map((pod, at) => (pod.leaving ? words[at]! : '')).filter(Boolean);
  return `set -u
${evictionLibrary}
api() { ${curl(api)} "$@"; }
now() { IFS='. ' read -r seconds _ </proc/uptime; echo "$seconds"; }
take() {
  case $rung in
  evict) kf_evict ${quote(api.server)} "$1" "$2" "$3" '' api ;;
  delete)
    kf_o=$(printf '{"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"uid":"%s"}}' "$3" |
      api --request DELETE --header 'Content-Type: application/json' --data-binary @- --write-out '\\n%{http_code}' ${quote(api.server)}"/api/v1/namespaces/$1/pods/$2" 2>&1 | tr '\\n' ' ')
    kf_code=\${kf_o##* } kf_body=\${kf_o% *} ;;
  esac
}
said() { printf %s "$kf_body" | grep -o '"message": *"[^"]*"' | sed 's/^"message": *"//; s/"$//' | sort -u | tr '\\n' ' '; }
climb() {
  set -- $ladder
  [ $# -gt 0 ] || return 1
  rung=$1; shift; ladder=$*
  case $rung in evict) end=$(($(now) + ${drain.evict})) ;; delete) end=$(($(now) + ${drain.delete})) ;; esac
}
noticed() {
  case "$(${cordonCommand(drain)} 2>&1 </dev/null)" in 'true '*${cordonTaint}*) ;; '<no value> '* | 'false '*) ;; *) return 1 ;; esac
}
kf_group api ${quote(`${api.server}/api/v1`)}
todo=${quote(words.filter((word) => !leaving.includes(word)).join(' '))} asked=${quote(leaving.join(' '))} ladder=${quote(ladder.join(' '))}
climb; pause=1 notice=$(($(now) + ${drain.notice}))
while [ "$rung" = evict ] && ! noticed; do
  if [ "$(now)" -ge "$notice" ]; then
    reasons='no controller manager has seen that the node is cordoned, so nothing would take the place of pods that go
'
    if ! climb; then printf %s "$reasons" >&2; exit 1; fi
    [ "$rung" != skip ] || { printf 'left behind: %s' "$reasons"; exit 0; }
    printf %s "$reasons"
  else sleep ${wait('drain').interval}
  fi
done
while :; do
  reasons= rest= wait=
  if listed=$(${podsCommand({ api, node })} 2>&1 </dev/null); then
    there=" $(printf '%s\\n' "$listed" | cut -d ' ' -f 3 | tr '\\n' ' ')"
    for pod in $todo; do
      uid=\${pod##*/} name=\${pod%/*}
      case $there in *" $uid "*) ;; *) continue ;; esac
      take "\${name%%/*}" "\${name##*/}" "$uid"
      case $kf_code in
      200 | 201 | 202) echo "$name: $rung"; asked="$asked $pod" ;;
      404 | 409) ;;
      *)
        rest="$rest $pod"
        reason=$(said); reasons="\${reasons}pod $name: \${reason:-$kf_body}
"
        after=$(printf %s "$kf_body" | sed -n 's/.*"retryAfterSeconds": *\\([0-9]*\\).*/\\1/p'); [ "\${after:-0}" -le "\${wait:-0}" ] || wait=$after ;;
      esac
    done
    todo=$rest rest=
    for pod in $asked; do
      case $there in *" \${pod##*/} "*) rest="$rest $pod"; reasons="\${reasons}pod \${pod%/*} has not ended yet
" ;; esac
    done
    asked=$rest
    [ -n "$todo$asked" ] || exit 0
  else reasons="the pods cannot be listed: $listed
"
  fi
  if [ "$(now)" -ge "$end" ]; then
    if ! climb; then printf %s "$reasons" >&2; exit 1; fi
    [ "$rung" != skip ] || { printf 'left behind: %s' "$reasons"; exit 0; }
    pause=1
  fi
  sleep "\${wait:-$pause}"
  [ -z "$todo" ] || { pause=$((pause * 2)); [ "$pause" -le 5 ] || pause=5; }
done
`;
}

/** Its node lifecycle controller puts this on each node that is cordoned (since 1.12). */
const cordonTaint = 'node.kubernetes.io/unschedulable';

function cordonCommand({ api, node }: Drain): string {
  const template = '{{.spec.unschedulable}} {{range .spec.taints}}{{.key}} {{end}}';
  return kubectl(api, ['get', 'node', node, '-o', `go-template=${template}`]);
}

/** What a step may take: every rung, and a little for the last request. */
export function drainSeconds({ ladder, notice, evict, delete: remove }: Drain): number {
  return (ladder.includes('evict') ? evict : 0) + (ladder.includes('delete') ? remove : 0) + notice + 120;
}
