import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inputError } from '../core/errors.ts';

const folder = 'playbooks';
const name = join(folder, 'cluster.yaml');

/** What apply and plan run when no playbook is named: the project's own playbooks/cluster.yaml, else the shipped one. */
export function defaultPlaybook(cwd: string): string {
  if (existsSync(join(cwd, name))) return name;
  const shipped = shippedPlaybook('cluster.yaml', cwd);
  if (existsSync(shipped)) return shipped;
  throw inputError('no playbook is named', {
    expected: 'one or more playbooks',
    hint: 'kpush init writes one to start with',
  });
}

/** A playbook of kpush itself, as it is best told from where the user stands. */
export function shippedPlaybook(file: string, cwd: string): string {
  const shipped = join(packageFolder(dirname(fileURLToPath(import.meta.url))), folder, file);
  return relative(cwd, shipped).startsWith('..') ? shipped : relative(cwd, shipped);
}

/** The folder of kpush's package.json: above src/cli as above dist. */
function packageFolder(dir: string): string {
  const file = join(dir, 'package.json');
  if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).name === 'kpush') return dir;
  return dirname(dir) === dir ? dir : packageFolder(dirname(dir));
}
