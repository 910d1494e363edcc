import { utf8 } from '../core/bytes.ts';
import type { Draft, FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quote } from '../core/quote.ts';
import { readKnown } from './read.ts';
import { fullName } from './unit.ts';

/** What the main process of a unit, or the program at a path, says it is; empty: it does not run, or is not there. */
export function runningVersion(world: WorldView, unit: string): string {
  return readKnown<string>(world, 'running-version', runningVersionKey(unit).id);
}

export function runningVersionKey(unit: string): FactKey {
  return { family: 'running-version', id: unit.startsWith('/') ? unit : fullName(unit) };
}

/**
 * The program that a process runs is asked itself, through /proc: also when its file has been replaced since, or is
 * gone. Not guarded: it takes a second.
 */
export const runningVersionFamily: FactFamily<string> = {
  name: 'running-version',
  guarded: false,
  library: () => functions,
  script: (keys) => keys.map(({ id }) => `kf_runs ${quote(id)}`).join('\n'),
  parse: (record) => ({ state: 'known', raw: record, value: versionIn(utf8(record)) }),
  reduce(effect, draft) {
    if (effect.type === 'file.put' || effect.type === 'file.unknown') replaced(effect.path, draft);
    if (effect.type !== 'unit.set' || !(effect.set.invoked || effect.set.active)) return;
    draft.each('running-version', (id, _answer, set) => {
      if (id !== effect.unit) return;
      set(effect.set.active === 'inactive' ? stopped : { state: 'unknown', why: `${effect.unit} starts` });
    });
  },
};

function replaced(path: string, draft: Draft) {
  if (draft.get('running-version', path))
    draft.set('running-version', path, { state: 'unknown', why: `${path} is replaced` });
}

const stopped = { state: 'known', value: '', raw: '' } as const;

const functions = `kf_runs() {
  case $1 in /*) [ ! -x "$1" ] || "$1" version --client 2>&1 </dev/null | head -n 1 | head -c 300; kp_sep; return ;; esac
  kf_p=$(systemctl show -p MainPID -- "$1" 2>/dev/null); kf_p=\${kf_p#MainPID=}
  case \${kf_p:-0} in 0) ;; *) kf_t=; ! command -v timeout >/dev/null 2>&1 || kf_t='timeout 20'; $kf_t "/proc/$kf_p/exe" --version 2>&1 </dev/null | head -n 1 | head -c 200 ;; esac
  kp_sep
}`;

/** `Kubernetes v1.20.2`, `etcd Version: 3.4.23`, kubectl's two forms; other words are kept, for a person to see. */
function versionIn(text: string): string {
  const line = text.trim();
  return (
    /^(?:Kubernetes |etcd Version: |Client Version: (?!version))(\S+)$|GitVersion:"([^"]+)"/
      .exec(line)
      ?.slice(1)
      .find(Boolean) ?? line
  );
}
