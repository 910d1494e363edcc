import { utf8 } from '../core/bytes.ts';
import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { readKnown } from './read.ts';
import { concernsManager } from './unit-paths.ts';

/** Every service unit that is loaded or has a unit file. */
export interface ServiceList {
  services: { name: string; load?: string; active?: string; sub?: string; fileState?: string }[];
}

export function serviceList(world: WorldView): ServiceList {
  return readKnown<ServiceList>(world, 'service-list', 'all');
}

export const serviceListKey: FactKey = { family: 'service-list', id: 'all' };

export const serviceListFamily: FactFamily<ServiceList> = {
  name: 'service-list',
  guarded: false,
  script: (keys) => keys.map(() => text).join('\n'),
  parse: (record) => ({ state: 'known', raw: record, value: { services: servicesOf(utf8(record)) } }),
  reduce(effect, draft) {
    const file = 'path' in effect && concernsManager(effect.path);
    if (!file && effect.type !== 'unit.set' && effect.type !== 'world.open') return;
    const why = effect.type === 'world.open' ? effect.why : 'units changed';
    draft.each('service-list', (_id, _answer, set) => set({ state: 'unknown', why }));
  },
};

/** Two listings, parted by an empty line; the mark before a failed unit is left out by --plain. */
const text = `systemctl list-units --no-pager --no-legend --plain --all --type service 2>/dev/null
printf '\\n'; systemctl list-unit-files --no-pager --no-legend --type service 2>/dev/null; kp_sep`;

function servicesOf(record: string): ServiceList['services'] {
  const gap = record.startsWith('\n') ? 0 : record.indexOf('\n\n') + 1;
  const [units, files] = [record.slice(0, gap), record.slice(gap)].map((part) =>
    part.split('\n').map((line) => line.trim().split(/\s+/)),
  );
  const found = new Map<string, ServiceList['services'][number]>();
  for (const [name, load, active, sub] of units!)
    if (name?.endsWith('.service')) found.set(name, { name, load, active, sub });
  for (const [name, fileState] of files!)
    if (name?.endsWith('.service')) found.set(name, { ...(found.get(name) ?? { name }), fileState });
  return [...found.values()];
}
