import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { inputError } from '../core/errors.ts';
import { diskFiles } from '../load/files.ts';
import type { SavedOptions } from './saved-plan-options.ts';

/** Raised when a reader would have to change. */
export const planFormat = 1;

/** A plan as it is kept in a file. Values of the hosts are in it only as HMAC under its own `key`. */
export interface SavedPlan {
  kpush: 'plan';
  format: number;
  /** Of the kpush that made it. */
  version: string;
  chance: SavedChance;
  /** Base64; 32 bytes. */
  key: string;
  options: SavedOptions;
  /** SHA-256 (hex) of every file that was read, by its path relative to the working directory. */
  files: Record<string, string>;
  hosts: Record<string, SavedHost>;
}

/** What would else differ from run to run; `seed` is base64, `clock` milliseconds since the epoch. */
export interface SavedChance {
  run: string;
  clock: number;
  seed: string;
}

export interface SavedHost {
  state: 'planned' | 'failed' | 'unreachable';
  /** In order. */
  steps: SavedStep[];
  deferred: SavedDeferred[];
}

export interface SavedStep {
  key: string;
  /** Id and name of its task. */
  task: string;
  name: string;
  title: string;
  /** HMAC of what it runs, its effects and its identity. */
  digest: string;
  rests: SavedRest[];
  /** It goes by what is another by then: not compared, its task is deferred. */
  fleeting?: true;
}

/** A raw answer that a step rests on. `key`: HMAC of who is asked, as whom, and for what; `raw`: of the answer. */
export interface SavedRest {
  fact: string;
  key: string;
  raw: string;
}

/** A task of which the plan could not tell all, and what that waits for. */
export interface SavedDeferred {
  task: string;
  name: string;
  why: string;
}

/** 32 random bytes, in base64. */
export function newKey(): string {
  return randomBytes(32).toString('base64');
}

/** The saved plan that the only argument of an apply names; undefined: it is a playbook. Throws an input error. */
export function readSavedPlan(path: string, version: string): SavedPlan | undefined {
  if (!path.endsWith('.json')) return undefined;
  const found = parsed(path);
  if (!isObject(found) || found.kpush !== 'plan') return undefined;
  if (found.format !== planFormat || found.version !== version)
    throw inputError(`${path} was made by kpush ${String(found.version)}, this is ${version}`, { hint: 'plan again' });
  for (const name of ['chance', 'options', 'files', 'hosts'])
    if (!isObject(found[name])) throw inputError(`${path} is not a whole plan: it has no ${name}`);
  return found as unknown as SavedPlan;
}

/** Beside its place first, then renamed; readable by its owner alone. Throws an input error. */
export function writeSavedPlan(path: string, plan: SavedPlan): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, `${JSON.stringify(plan, null, 1)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw inputError(`the plan could not be saved in ${path}: ${(error as Error).message}`);
  }
}

/** undefined: there is no such file, or it is no JSON; whoever reads playbooks says so. */
function parsed(path: string): unknown {
  try {
    return JSON.parse(diskFiles().read(path)?.toString('utf8') ?? '');
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
