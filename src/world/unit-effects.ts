import type { Effect, UnitChange } from '../core/effects.ts';
import type { Answer, Draft } from '../core/facts.ts';
import { canonicalOf } from './file-effects.ts';
import type { UnitFact } from './unit.ts';
import { type Touch, touchOf } from './unit-paths.ts';
import { scopeOf } from './unit-scope.ts';
import { canEnable, parseUnit, type UnitText } from './unit-text.ts';

/** Folds unit files written, reloads and what systemctl does into every answer about units. */
export function reduce(effect: Effect, draft: Draft): void {
  if (effect.type === 'systemd.reload') eachUnit(draft, (_id, fact, set) => set(reloaded(fact)));
  else if (effect.type === 'unit.set')
    eachUnit(draft, (id, fact, set) => {
      if (id === effect.unit || sameUnit(id, effect.unit, fact)) set(changed(fact, effect.set));
    });
  else if (effect.type === 'file.put' || effect.type === 'file.remove' || effect.type === 'file.unknown')
    touched(effect, draft);
}

/** Ways in which a unit is not as predicted. */
export function differs(predicted: UnitFact, actual: UnitFact): string[] {
  const found: string[] = [];
  if (predicted.load !== actual.load) found.push(`load state: expected ${predicted.load}, is ${actual.load}`);
  if (predicted.active !== undefined && !sameActivity(predicted.active, actual.active))
    found.push(`expected ${predicted.active}, is ${actual.active}${why(actual)}`);
  if (predicted.fileState !== undefined && enabledness(predicted.fileState) !== enabledness(actual.fileState))
    found.push(`expected ${predicted.fileState}, is ${actual.fileState || 'without a unit file'}`);
  if (predicted.needReload === false && actual.needReload) found.push('still needs a daemon-reload');
  if (predicted.replaces !== undefined && actual.invocation === predicted.replaces)
    found.push('was not started anew: its invocation is the same');
  return found;
}

/** What `systemctl is-enabled` counts as enabled. */
export function enabledness(fileState: string | undefined): boolean {
  return ['enabled', 'enabled-runtime', 'static', 'generated'].includes(fileState ?? '');
}

function sameActivity(predicted: string, actual: string | undefined): boolean {
  return predicted === actual || (predicted === 'active' && actual === 'reloading');
}

function why(fact: UnitFact): string {
  const { Result, ConditionResult, ExecMainStatus, SubState } = fact.properties;
  if (ConditionResult === 'no') return ' (a condition of the unit was not met, so it was skipped)';
  const result = Result && Result !== 'success' ? `, result ${Result}` : '';
  const status = ExecMainStatus && ExecMainStatus !== '0' ? `, exit status ${ExecMainStatus}` : '';
  return `${SubState ? ` (${SubState})` : ''}${result}${status}`;
}

function sameUnit(id: string, unit: string, fact: UnitFact): boolean {
  const [one, other] = [scopeOf(id), scopeOf(unit)];
  return one.scope === other.scope && fact.names.includes(other.name);
}

function reloaded(fact: UnitFact): UnitFact {
  return fact.needReload ? { ...fact, needReload: false } : fact;
}

function changed(fact: UnitFact, set: UnitChange): UnitFact {
  return {
    ...fact,
    ...(set.masked === undefined ? {} : maskedAfter(fact, set.masked)),
    ...(set.active ? { active: set.active === 'unknown' ? undefined : set.active } : {}),
    ...(set.active === 'unknown' ? { invocation: undefined } : {}),
    ...(set.enabled ? enabledAfter(fact, set.enabled) : {}),
    ...(set.invoked ? { invocation: undefined, replaces: fact.invocation || undefined } : {}),
  };
}

/** Enabling a unit without [Install] leaves it static; that is as enabled as it gets. */
function enabledAfter(fact: UnitFact, enabled: NonNullable<UnitChange['enabled']>): Partial<UnitFact> {
  if (enabled === 'unknown') return { fileState: undefined };
  const own = [...(fact.install?.wantedBy ?? []), ...(fact.install?.requiredBy ?? [])];
  const others = (fact.pulledBy ?? []).filter((by) => !own.includes(by));
  return {
    fileState: fact.fileState === 'static' ? 'static' : enabled,
    pulledBy: enabled === 'enabled' ? [...others, ...own] : others,
    ...(fact.sysv === undefined ? {} : { sysv: enabled === 'enabled' }),
  };
}

/** What a unit is once unmasked is on disk, behind the mask: not predicted. */
function maskedAfter(fact: UnitFact, masked: boolean): Partial<UnitFact> {
  if (masked) return { load: 'masked', fileState: 'masked' };
  return fact.load === 'masked' ? { load: 'loaded', fileState: undefined, type: undefined } : {};
}

type FileEffect = Extract<Effect, { type: 'file.put' | 'file.remove' | 'file.unknown' }>;

function touched(effect: FileEffect, draft: Draft) {
  const touch = touchOf(canonicalOf(effect.path, draft)) ?? touchOf(effect.path);
  if (!touch) return;
  draft.each('unit', (id, answer, set) => {
    const { scope, name } = scopeOf(id);
    if (answer.state !== 'known' || scope !== touch.scope) return;
    const fact = answer.value as UnitFact;
    if ([name, ...fact.names].some((each) => touch.concerns(each))) set(afterTouch(effect, touch, fact));
  });
}

function afterTouch(effect: FileEffect, touch: Touch, fact: UnitFact): Answer {
  if (effect.type === 'file.unknown') return { state: 'unknown', why: effect.why };
  if (touch.kind === 'pull') return known(pulled(effect, touch, fact));
  if (touch.kind === 'drop-in') return known(withDropIn(effect, fact));
  if (effect.type === 'file.remove') return removedFile(touch, fact, effect.path);
  if (fact.load !== 'not-found' && rank(fact.fragment) > touch.rank) return known(fact);
  if (effect.kind === 'link') return linked(effect.target, fact, effect.path);
  if (effect.text === undefined) return { state: 'unknown', why: `${effect.path} was written` };
  return known(written(fact, parseUnit(effect.text), effect.path));
}

/** Whether a unit that lost a link has another one is not told. */
function pulled(effect: FileEffect, touch: Touch, fact: UnitFact): UnitFact {
  const others = (fact.pulledBy ?? []).filter((by) => by !== touch.by);
  if (effect.type === 'file.put') return { ...fact, fileState: 'enabled', pulledBy: [...others, touch.by!] };
  return { ...fact, fileState: undefined, pulledBy: others };
}

function withDropIn(effect: FileEffect, fact: UnitFact): UnitFact {
  if (fact.load === 'not-found') return fact;
  const text = effect.type === 'file.put' && effect.text !== undefined ? parseUnit(effect.text) : undefined;
  const { type, remainAfterExit } = text ?? { type: undefined, remainAfterExit: undefined };
  const dropIns = fact.dropIns.filter((path) => path !== effect.path);
  return {
    ...fact,
    ...(type ? { type } : {}),
    ...(remainAfterExit === undefined ? {} : { remainAfterExit }),
    dropIns: effect.type === 'file.put' ? [...dropIns, effect.path] : dropIns,
    needReload: true,
  };
}

/** A vendor's file may lie behind the one removed. */
function removedFile(touch: Touch, fact: UnitFact, path: string): Answer {
  if (fact.load === 'not-found' || rank(fact.fragment) > touch.rank) return known(fact);
  if (fact.load === 'loaded' && rank(fact.fragment) !== touch.rank) return known(fact);
  return { state: 'unknown', why: `${path} was removed` };
}

function linked(target: string | undefined, fact: UnitFact, path: string): Answer {
  if (target === '/dev/null') return known({ ...fact, load: 'masked', fileState: 'masked', needReload: true });
  return { state: 'unknown', why: `${path} was linked` };
}

/** A new unit is loaded when it is first asked for; one that is loaded needs a reload. */
function written(fact: UnitFact, text: UnitText, path: string): UnitFact {
  const fresh = fact.load === 'not-found';
  return {
    ...fact,
    load: 'loaded',
    fragment: path,
    active: fresh ? 'inactive' : fact.active,
    fileState: stateAfter(fact, text),
    needReload: !fresh,
    type: text.type ?? 'simple',
    remainAfterExit: text.remainAfterExit ?? false,
    install: text.install,
    pulledBy: fact.pulledBy ?? [],
  };
}

/** Links made earlier stay, whatever the new text says. */
function stateAfter(fact: UnitFact, text: UnitText): string | undefined {
  if (fact.fileState === 'enabled' || fact.fileState === 'enabled-runtime') return fact.fileState;
  return canEnable(text.install) ? 'disabled' : 'static';
}

function rank(fragment: string | undefined): number {
  return fragment ? (touchOf(fragment)?.rank ?? 0) : 0;
}

function eachUnit(draft: Draft, visit: (id: string, fact: UnitFact, set: (fact: UnitFact) => void) => void) {
  draft.each('unit', (id, answer, set) => {
    if (answer.state === 'known') visit(id, answer.value as UnitFact, (fact) => set(known(fact)));
  });
}

function known(value: UnitFact): Answer {
  return { state: 'known', raw: '', value };
}
