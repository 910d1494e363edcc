import { actions } from '../actions/registry.ts';
import { inputError } from '../core/errors.ts';
import type { ModuleDoc } from '../core/module.ts';
import { nearest } from '../core/nearest.ts';
import type { ParamSpecs } from '../core/params.ts';
import { gates } from '../gates/registry.ts';
import { blockKeywords, innerKeywords, playKeywords, sharedKeywords, taskKeywords } from '../load/keywords.ts';
import { modules } from '../modules/registry.ts';
import { keywordDocs } from './keyword-docs.data.ts';

/** Something a playbook can name, as its declaration describes it. */
export type DocEntry =
  | {
      kind: 'module' | 'action' | 'gate';
      name: string;
      aliases: readonly string[];
      doc: ModuleDoc;
      params: ParamSpecs;
      freeForm?: string;
    }
  | { kind: 'keyword'; name: string; summary: string; form: string; on: string[] };

/** Everything that is documented, by kind and name. */
export function docEntries(): DocEntry[] {
  return [
    ...modules.map(({ name, aliases = [], doc, params, freeForm }) => ({
      kind: 'module' as const,
      name,
      aliases,
      doc,
      params,
      freeForm,
    })),
    ...actions.map(({ name, doc, params, freeForm }) => ({
      kind: 'action' as const,
      name,
      aliases: [],
      doc,
      params,
      freeForm,
    })),
    ...gates.map(({ name, doc, params }) => ({ kind: 'gate' as const, name, aliases: [], doc, params })),
    ...keywords(),
  ];
}

/** Entries of that name: a gate and a module may share one. Throws an input error that names the nearest. */
export function findDoc(word: string): DocEntry[] {
  const all = docEntries();
  const short = word.replace(/^(?:ansible\.(?:builtin|posix)|community\.general|kubernetes\.core)\./, '');
  const found = all.filter((entry) => entry.name === short || namesOf(entry).includes(word));
  if (found.length > 0) return found;
  const names = all.flatMap((entry) => [entry.name, ...namesOf(entry)]);
  throw inputError(`nothing is called ${word}`, {
    nearest: nearest(short, names),
    hint: 'kpush doc lists all there is',
  });
}

function namesOf(entry: DocEntry): readonly string[] {
  return entry.kind === 'keyword' ? [] : entry.aliases;
}

function keywords(): DocEntry[] {
  const places: [string, Record<string, string>][] = [
    ['play', { ...forms(sharedKeywords), ...playKeywords }],
    ['block', { ...forms(innerKeywords), ...blockKeywords }],
    ['task', { ...forms(innerKeywords), ...taskKeywords }],
  ];
  const names = [...new Set(places.flatMap(([, table]) => Object.keys(table)))].sort();
  return names.map((name) => ({
    kind: 'keyword',
    name,
    summary: keywordDocs[name] ?? '',
    form: places.map(([, table]) => table[name]).find((form) => form !== undefined) ?? 'any',
    on: places.filter(([, table]) => name in table).map(([place]) => place),
  }));
}

function forms(table: Readonly<Record<string, { form: string }>>): Record<string, string> {
  return Object.fromEntries(Object.entries(table).map(([name, { form }]) => [name, form]));
}
