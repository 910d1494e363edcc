import { utf8 } from '../core/bytes.ts';
import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quote } from '../core/quote.ts';
import { readKnown } from './read.ts';

/**
 * A path with `~`, `~user`, `$NAME` or `${NAME}` in it, as the host expands it: by Ansible's rules a variable that is
 * not set stays as written, and so does a user that is not there.
 */
export function expanded(world: WorldView, path: string): string {
  return readKnown<string>(world, 'expand', path);
}

export function expandKey(path: string): FactKey {
  return { family: 'expand', id: path };
}

/** Whether a path holds anything to be expanded. */
export function expands(path: string): boolean {
  return path.startsWith('~') || variable.test(path);
}

const variable = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/;

export const expandFamily: FactFamily<string> = {
  name: 'expand',
  guarded: false,
  script: (keys) => keys.map((key) => `${printText(key.id)}; kp_sep`).join('\n'),
  parse: (record) => ({ state: 'known', value: utf8(record), raw: record }),
};

/**
 * Only names of variables and users are left for the shell to read. The user's home is read into a variable first: for
 * an unknown user the ash of busybox drops the rest of the word.
 */
function printText(path: string): string {
  const user = /^~(?:[A-Za-z_][\w.-]*)?(?=\/|$)/.exec(path)?.[0] ?? '';
  const parts = path.slice(user.length).split(new RegExp(variable, 'g'));
  const rest = parts.map((part, i) => (i % 3 === 0 ? literal(part) : part === undefined ? '' : reference(part)));
  return `kf_h=${user}; printf '%s%s' "$kf_h" ${rest.join('') || "''"}`;
}

function literal(text: string | undefined): string {
  return text ? quote(text) : '';
}

function reference(name: string): string {
  return `"\${${name}-\\$${name}}"`;
}
