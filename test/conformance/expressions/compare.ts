import type { Value } from '../../../src/jinja/index.ts';
import { answer } from './kpush.ts';
import type { Answer, Kind, Oracle, Question } from './oracle.ts';
import { forOracle, sameTyped, type Typed } from './typed.ts';

export interface Difference {
  kind: Kind;
  source: string;
  theirs: Answer;
  ours: Answer;
}

export interface Item {
  kind: Kind;
  source: string;
  vars: Map<string, Value>;
}

/** Evaluates all items on both sides; gives those that differ in value, type, or in whether they are an error. */
export async function differences(oracle: Oracle, items: Item[]): Promise<Difference[]> {
  const answers = await oracle.askAll(items.map(question));
  return items.flatMap((item, i) => {
    const theirs = answers[i]!;
    const ours = answer(item.kind, item.source, new Map(item.vars));
    return sameAnswer(theirs, ours, item.source) ? [] : [{ kind: item.kind, source: item.source, theirs, ours }];
  });
}

export function question({ kind, source, vars }: Item): Question {
  return { kind, source, vars: Object.fromEntries([...vars].map(([name, value]) => [name, forOracle(value)])) };
}

export function sameAnswer(theirs: Answer, ours: Answer, source: string): boolean {
  if (isRefusal(theirs, ours, source)) return true;
  return 'ok' in theirs && 'ok' in ours ? sameTyped(theirs.ok, ours.ok) : 'ok' in theirs === 'ok' in ours;
}

/**
 * What kpush refuses on purpose: text made of a list or dict that holds something undefined (Ansible writes
 * "AnsibleUndefined(hint=None, …)" into it), and errors among constants (Ansible gives the template itself back).
 */
function isRefusal(theirs: Answer, ours: Answer, source: string): boolean {
  if ('error' in theirs && theirs.error === 'the template did not compile') return true;
  if ('ok' in theirs && theirs.ok === source && source.includes('{{')) return true;
  if ('ok' in theirs && 'ok' in ours) return onlyAnchors(theirs.ok, ours.ok);
  return 'ok' in theirs && 'error' in ours && ours.error.includes('inside a value that becomes text');
}

/** Jinja computes constants before it renders, and writes each list of them out anew: YAML then needs no anchors. */
function onlyAnchors(theirs: Typed, ours: Typed): boolean {
  return JSON.stringify(ours).includes('&id0') && !JSON.stringify(theirs).includes('&id0');
}

export function describe({ kind, source, theirs, ours }: Difference): string {
  return `${kind}: ${source}\n    ansible ${JSON.stringify(theirs)}\n    kpush   ${JSON.stringify(ours)}`;
}
