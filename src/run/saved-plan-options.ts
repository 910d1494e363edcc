import { inputError } from '../core/errors.ts';
import type { RunOptions } from '../core/options.ts';
import type { Seal } from './saved-plan-seal.ts';

/** What the command line of the plan said, as far as it decides what is planned or how hosts are reached. */
export type SavedOptions = Pick<RunOptions, (typeof kept)[number]> & { extraVars: SavedVars[] };

/** One `-e`. What may hold a secret is not kept, and must be given again. */
export type SavedVars = { text: string } | { sealed: string };

const deciding = [
  'inventories',
  'limit',
  'tags',
  'skipTags',
  'startAtTask',
  'become',
  'becomeMethod',
  'becomeUser',
  'compat',
] as const;

/** The plan's unless this command line says otherwise: they reach hosts, and decide nothing. */
const reaching = [
  'forks',
  'user',
  'privateKey',
  'connection',
  'timeout',
  'sshCommonArgs',
  'sshExtraArgs',
  'askPass',
  'askBecomePass',
  'askVaultPass',
  'connectionPasswordFile',
  'becomePasswordFile',
  'vaultPasswordFiles',
  'vaultIds',
] as const;

/** Templates can read some of these, so they stay what they were. */
const fixed = ['playbooks', 'earlier', 'noProbes', 'forceHandlers', 'diff', 'verbosity', 'strict'] as const;

const kept = [...deciding, ...reaching, ...fixed] as const;

const flags: Partial<Record<keyof RunOptions, string>> = {
  inventories: '--inventory',
  skipTags: '--skip-tags',
  startAtTask: '--start-at-task',
  becomeMethod: '--become-method',
  becomeUser: '--become-user',
};

export function savedOptions(options: RunOptions, seal: Seal): SavedOptions {
  const picked = Object.fromEntries(kept.map((name) => [name, options[name]])) as Pick<
    RunOptions,
    (typeof kept)[number]
  >;
  const extraVars = options.extraVars.map((text) => (soundsSecret(text) ? { sealed: seal(text) } : { text }));
  return { ...picked, extraVars };
}

/** The options of an apply of a saved plan: the plan's, reached as this command line says. Throws an input error. */
export function optionsOfPlan(saved: SavedOptions, given: RunOptions, seal: Seal, path: string): RunOptions {
  const { extraVars: vars, ...rest } = saved;
  const forbidden = [...deciding, 'check', 'list', 'syntaxCheck'] as const;
  const wrong = forbidden.find((name) => isGiven(given[name]));
  if (wrong)
    throw inputError(`${flags[wrong] ?? `--${wrong}`} does not go with ${path}, which decides that`, {
      hint: 'begin anew with it',
    });
  const own = Object.fromEntries(reaching.filter((name) => isGiven(given[name])).map((name) => [name, given[name]]));
  return { ...given, ...rest, ...own, extraVars: extraVars(vars, given.extraVars, seal, path) };
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}

function extraVars(vars: readonly SavedVars[], given: readonly string[], seal: Seal, path: string): string[] {
  const bySeal = new Map(given.map((text) => [seal(text), text]));
  const taken = vars.map((one) => {
    if ('text' in one) return one.text;
    const text = bySeal.get(one.sealed);
    if (text !== undefined) return text;
    throw inputError(`${path} was made with --extra-vars that may hold a secret, so they were not kept`, {
      expected: 'the same --extra-vars as then',
    });
  });
  const foreign = given.find((text) => !taken.includes(text));
  if (foreign === undefined) return taken;
  throw inputError(`--extra-vars differ from those that ${path} was made with`, { hint: 'begin anew with them' });
}

/** A file is named, its content is not kept; a text is kept unless some word in it sounds like a secret. */
function soundsSecret(text: string): boolean {
  return !text.startsWith('@') && /pass|pw|secret|token|key|cred|auth|private|cert|salt|seed|vault/i.test(text);
}
