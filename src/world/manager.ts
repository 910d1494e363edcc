import type { Effect } from '../core/effects.ts';
import type { Answer, Draft, FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { canonicalOf } from './file-effects.ts';
import { readKnown } from './read.ts';
import { concernsManager } from './unit-paths.ts';

/** Whether what a service manager has loaded is older than what is on disk. */
export interface ManagerFact {
  stale: boolean;
}

/** `all`: any unit that is loaded, which costs systemd 80 ms to tell; `written`: only what this run itself wrote. */
export type Depth = 'all' | 'written';

export function manager(world: WorldView, scope: 'system' | 'user', depth: Depth): ManagerFact {
  return readKnown<ManagerFact>(world, 'manager', managerKey(scope, depth).id);
}

export function managerKey(scope: 'system' | 'user', depth: Depth): FactKey {
  return { family: 'manager', id: depth === 'all' ? scope : `${scope}/${depth}` };
}

/**
 * Asked for `daemon_reload: true`, which is done when it would change anything: a loaded unit says NeedDaemonReload
 * (systemd compares unit files, drop-ins and what generators read, such as fstab), or this run wrote such a file. A
 * task that names a unit knows of that unit by itself, so there the host is not asked for all of them.
 */
export const managerFamily: FactFamily<ManagerFact> = {
  name: 'manager',
  guarded: false,
  ofRun: true,
  library: () => functions,
  script: (keys) =>
    keys.map(({ id }) => (id.endsWith('/written') ? 'printf 0; kp_sep' : `kf_manager --${id}`)).join('\n'),
  parse: (record) => {
    if (record !== '0' && record !== '1') throw new Error(`unreadable manager state: ${record.slice(0, 80)}`);
    return known(record === '1');
  },
  reduce(effect, draft) {
    const stale = staleAfter(effect, draft);
    if (stale !== undefined) draft.each('manager', (_id, _answer, set) => set(known(stale)));
  },
  differs: (predicted, actual) =>
    !predicted.stale && actual.stale ? ['units on disk are newer than those loaded'] : [],
};

const functions = `kf_manager() {
  [ "$1" != --user ] || [ -n "\${XDG_RUNTIME_DIR-}" ] || export XDG_RUNTIME_DIR="/run/user/$(id -u)"
  case $(systemctl "$1" show -p NeedDaemonReload -- '*' 2>/dev/null) in *=yes*) printf 1;; *) printf 0;; esac
  kp_sep
}`;

function staleAfter(effect: Effect, draft: Draft): boolean | undefined {
  if (effect.type === 'systemd.reload') return false;
  if (effect.type !== 'file.put' && effect.type !== 'file.remove' && effect.type !== 'file.unknown') return undefined;
  return concernsManager(effect.path) || concernsManager(canonicalOf(effect.path, draft)) ? true : undefined;
}

function known(stale: boolean): Answer<ManagerFact> {
  return { state: 'known', raw: stale ? '1' : '0', value: { stale } };
}
