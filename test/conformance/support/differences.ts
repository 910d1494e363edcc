import type { Row } from './rows.ts';
import type { Outcome } from './twin.ts';

/** What two outcomes of the same playbook differ in, one line each. */
export function differences(ours: Outcome, theirs: Outcome, check: boolean): string[] {
  if (ours.rows.length === 0 || theirs.rows.length === 0) return [`no rows: ${ours.said} ${theirs.said}`];
  const rows = Math.max(ours.rows.length, theirs.rows.length);
  const lines: string[] = [];
  for (let i = 0; i < rows; i++) {
    const [mine, other] = [ours.rows[i], theirs.rows[i]];
    if (mine?.name !== other?.name || !mine || !other)
      return [...lines, `${i}: ${shown(mine)} here, ${shown(other)} there`];
    lines.push(...rowDifferences(mine, other, check).map((line) => `${i} ${mine.name}: ${line}`));
  }
  return ours.exit === theirs.exit ? lines : [...lines, `exit ${ours.exit} here, ${theirs.exit} there`];
}

function shown(row: Row | undefined): string {
  return row ? `'${row.name}' (${row.status})` : 'nothing';
}

function rowDifferences(mine: Row, other: Row, check: boolean): string[] {
  if (check && isOpen(mine, other)) return [];
  const [ours, theirs] = [plainStatus(mine), plainStatus(other)];
  if (ours !== theirs)
    return [`${mine.status} here, ${other.status} there: ${text(mine.values.msg)} / ${text(other.values.msg)}`];
  return valueDifferences(mine, other);
}

/** The JSON of ansible-playbook does not tell failures that are ignored or rescued: what comes after does. */
function plainStatus({ status }: Row): string {
  return status === 'ignored' ? 'failed' : status;
}

/** What Ansible skips or leaves alone under --check, kpush plans or calls unknown. */
function isOpen(mine: Row, other: Row): boolean {
  return (
    mine.status === 'unknown' && (other.status === 'skipped' || other.status === 'changed' || other.status === 'ok')
  );
}

/** Of Ansible itself, of the moment, of the controller's folders, or random. */
const ignored = new Set([
  ...[
    'invocation',
    'diff',
    'action',
    'ansible_facts',
    'warnings',
    'deprecations',
    'exception',
    'handler',
    'ansible_included_var_files',
  ],
  ...[
    'start',
    'end',
    'delta',
    'elapsed',
    'src',
    'backup_file',
    'extract_results',
    'stderr_lines',
    'cache_update_time',
    'include_args',
    'backup',
  ],
  ...['ansible_loop_var', 'item', 'ansible_index_var', 'ansible_loop', 'failed_when_result', 'failed'],
]);

function valueDifferences(mine: Row, other: Row): string[] {
  if (other.values.censored) return [];
  return Object.keys(other.values)
    .filter((name) => !name.startsWith('_ansible') && !ignored.has(name) && !isAside(name, other))
    .filter((name) => name !== other.values.ansible_loop_var && name !== other.values.ansible_index_var)
    .filter((name) => text(mine.values[name]) !== text(other.values[name]))
    .map((name) => `${name} is ${text(mine.values[name])} here, ${text(other.values[name])} there`);
}

/** Errors are told in each tool's own words and fields; the size of a folder is its file system's. */
function isAside(name: string, { status, module, values }: Row): boolean {
  if (status === 'failed') return !told(name, module);
  if (asideOf[module]?.includes(name)) return true;
  return name === 'size' && values.state === 'directory';
}

/** Listed in docs/differences.md, or of the moment. */
const asideOf: Readonly<Record<string, readonly string[]>> = {
  wait_for: ['uid', 'gid', 'owner', 'group', 'mode', 'size', 'state', 'match_groups', 'path'],
  add_host: ['add_host'],
  group_by: ['add_group', 'parent_groups'],
  copy: ['path'],
  tempfile: ['path'],
  user: ['stderr', 'stdout'],
  pause: ['echo', 'stderr', 'stdout', 'stop', 'user_input'],
  uri: ['date', 'last_modified', 'server'],
  systemd: ['status'],
  systemd_service: ['status'],
  service: ['status'],
};

/** What the fields of a failure are about: the playbook's own words, or what a command did. */
function told(name: string, module: string): boolean {
  if (name === 'msg') return module === 'fail' || module === 'assert';
  if (name === 'rc' || name === 'stdout' || name === 'cmd') return commands.has(module);
  return ['assertion', 'evaluated_to', 'attempts', 'status', 'state'].includes(name);
}

const commands = new Set(['command', 'shell', 'raw', 'script']);

function text(value: unknown): string {
  return JSON.stringify(sorted(value))?.replace(/\/tmp\/kpush-fetched\/\w+/g, 'FETCHED') ?? 'nothing';
}

/** Inside of what stat and find tell: of the moment and the disk, and what kpush tells only when it is asked for. */
const momentary = new Set([
  ...['atime', 'ctime', 'mtime', 'inode', 'dev', 'blocks', 'version'],
  ...['mimetype', 'charset', 'attributes', 'attr_flags'],
]);

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !momentary.has(name));
  const entries = kept.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, item]) => [name, sorted(item)]));
}
