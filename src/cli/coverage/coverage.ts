import { resolve } from 'node:path';
import { inputError, type KpushError } from '../../core/errors.ts';
import type { Origin } from '../../core/origin.ts';
import { Sources } from '../../load/sources.ts';
import { moduleTable, nameTable } from '../tables.ts';
import { readTree } from './tree.ts';
import { fileUnit, roleUnit, type Unit } from './units.ts';

/** How much of a tree of playbooks and roles kpush can run, and what it lacks for the rest. */
export interface Coverage {
  tasks: Share;
  /** Whole roles and playbooks, with their variables and templates. */
  units: Share;
  /** By what is lacking, the most frequent first. */
  blockers: Blocker[];
  unit: { kind: Unit['kind']; name: string; tasks: Share; covered: boolean }[];
}

export interface Share {
  covered: number;
  total: number;
  /** In percent, one place after the point; 100 where there is nothing. */
  percent: number;
}

export interface Blocker {
  /** A kind of lack, or `error` for anything else that is refused. */
  kind: string;
  name: string;
  hint?: string;
  places: { file: string; line: number }[];
}

/** Throws an input error when there is no such folder. Reads only; connects nowhere. */
export function coverage(folder: string, cwd: string): Coverage {
  const sources = new Sources({ cwd, onDuplicate: () => undefined });
  const root = resolve(cwd, folder);
  if (!sources.isDirectory(root)) throw inputError(`there is no folder ${folder}`);
  const options = { sources, modules: moduleTable, names: nameTable(), strict: true };
  const tree = readTree(root);
  const units = [
    ...tree.roles.map((path) => roleUnit(path, options)),
    ...tree.files.flatMap((path) => fileUnit(path, options) ?? []),
  ];
  return { ...shares(units), blockers: blockersOf(units), unit: units.map(line) };
}

function shares(units: Unit[]): Pick<Coverage, 'tasks' | 'units'> {
  const whole = units.filter(({ kind }) => kind !== 'tasks');
  return { tasks: taskShare(units), units: share(whole.filter(isCovered).length, whole.length) };
}

function line(unit: Unit): Coverage['unit'][number] {
  return { kind: unit.kind, name: unit.name, tasks: taskShare([unit]), covered: isCovered(unit) };
}

function taskShare(units: Unit[]): Share {
  const tasks = units.flatMap((unit) => unit.tasks);
  return share(tasks.filter(({ problems }) => problems.length === 0).length, tasks.length);
}

function isCovered({ tasks, problems }: Unit): boolean {
  return problems.length === 0 && tasks.every((task) => task.problems.length === 0);
}

function share(covered: number, total: number): Share {
  return { covered, total, percent: total === 0 ? 100 : Math.round((covered / total) * 1000) / 10 };
}

function blockersOf(units: Unit[]): Blocker[] {
  const all = new Set(units.flatMap(({ tasks, problems }) => [...problems, ...tasks.flatMap((task) => task.problems)]));
  const found = new Map<string, Blocker>();
  for (const error of all) {
    const blocker = blockerOf(error);
    const key = `${blocker.kind} ${blocker.name}`;
    const known = found.get(key);
    if (known) known.places.push(...blocker.places);
    else found.set(key, blocker);
  }
  return [...found.values()].sort((a, b) => b.places.length - a.places.length || (a.name < b.name ? -1 : 1));
}

function blockerOf({ message, facts }: KpushError): Blocker {
  const { lacks, hint, nearest, origin } = facts;
  const way = hint ?? (nearest ? `did you mean '${nearest}'?` : undefined);
  return {
    ...(lacks ?? { kind: 'error', name: message.split('\n')[0]! }),
    ...(way ? { hint: way } : {}),
    places: origin ? [place(origin)] : [],
  };
}

function place({ file, line }: Origin): { file: string; line: number } {
  return { file, line };
}
