import type { Effect } from '../../core/effects.ts';
import type { WorldView } from '../../core/module.ts';
import { file } from '../../world/file.ts';
import { fullName, type UnitFact } from '../../world/unit.ts';
import { enabledness } from '../../world/unit-effects.ts';
import { canEnable, type Install } from '../../world/unit-text.ts';
import type { UnitChanges, WantedUnit } from './unit-change.ts';

/** Enables or disables; a unit whose [Install] no longer names what its links say is enabled anew. */
export function enable(wanted: WantedUnit, fact: UnitFact, world: WorldView, changes: UnitChanges) {
  if (wanted.enabled === undefined) return;
  const enabled = fact.sysv ?? enabledness(fact.fileState);
  const name = fullName(wanted.name);
  changes.result.enabled = wanted.enabled;
  if (enabled !== wanted.enabled) {
    changes.ops.push({ op: wanted.enabled ? 'enable' : 'disable', unit: name });
    changes.set.enabled = wanted.enabled ? 'enabled' : 'disabled';
    changes.changed = true;
    changes.links.push(...(wanted.enabled ? made(wanted, fact) : removed(linksOf(wanted, fact.install))));
    changes.fields.push({ name: 'enabled', before: word(enabled), after: word(wanted.enabled) });
  } else if (wanted.enabled) renew(wanted, fact, world, changes);
}

function renew(wanted: WantedUnit, fact: UnitFact, world: WorldView, changes: UnitChanges) {
  const { missing, stale } = wrongLinks(wanted, fact, world);
  if (missing.length + stale.length === 0) return;
  changes.ops.push({ op: 'reenable', unit: fullName(wanted.name) });
  changes.set.enabled = 'enabled';
  changes.changed = true;
  changes.links.push(...removed(stale), ...made(wanted, fact));
  const fields = { before: stale.join(' ') || null, after: linksOf(wanted, fact.install).join(' ') };
  changes.fields.push({ name: 'links', ...fields });
}

/** What pulls the unit in by its own dependencies is no link, so only files count. */
function wrongLinks(wanted: WantedUnit, fact: UnitFact, world: WorldView): { missing: string[]; stale: string[] } {
  const { install, pulledBy } = fact;
  const judged = wanted.scope === 'system' && fact.fileState === 'enabled' && install && pulledBy && canEnable(install);
  if (!judged || wanted.name.includes('@')) return { missing: [], stale: [] };
  const there = (path: string) => file(world, path).exists;
  const own = linksOf(wanted, install);
  const unpulled = own.filter((path) => !pulledBy.includes(pullerOf(path)));
  const others = pulledBy.filter((by) => !own.some((path) => pullerOf(path) === by)).flatMap((by) => both(by, wanted));
  return { missing: unpulled.filter((path) => !there(path)), stale: others.filter(there) };
}

function linksOf(wanted: WantedUnit, install: Install | undefined): string[] {
  if (wanted.scope !== 'system' || !install || wanted.name.includes('@')) return [];
  const name = fullName(wanted.name);
  return [
    ...install.wantedBy.map((by) => `${folder}/${by}.wants/${name}`),
    ...install.requiredBy.map((by) => `${folder}/${by}.requires/${name}`),
  ];
}

const folder = '/etc/systemd/system';

function both(by: string, wanted: WantedUnit): string[] {
  return ['wants', 'requires'].map((kind) => `${folder}/${by}.${kind}/${fullName(wanted.name)}`);
}

function pullerOf(path: string): string {
  return path
    .split('/')
    .at(-2)!
    .replace(/\.(wants|requires)$/, '');
}

function made(wanted: WantedUnit, fact: UnitFact): Effect[] {
  const target = fact.fragment ? { target: fact.fragment } : {};
  return linksOf(wanted, fact.install).map((path) => ({ type: 'file.put', path, kind: 'link', ...target }));
}

function removed(paths: readonly string[]): Effect[] {
  return paths.map((path) => ({ type: 'file.remove', path }));
}

function word(value: boolean): string {
  return value ? 'yes' : 'no';
}
