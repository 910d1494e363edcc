import type { Row } from './rows.ts';
import type { Outcome } from './twin.ts';

/** What two outcomes of the same playbook differ in, one line each. */
export function differences(ours: Outcome, theirs: Outcome): string[] {
  return compared(ours, [theirs], (mine, others) => rowDifferences(mine, others));
}

/**
 * The same of --check: each row, and each field of it, is as Ansible's `--check` says or as its real run over the same
 * state then goes. What kpush leaves open is no difference where Ansible skipped what it would have done, or after that:
 * then a handler or a rescue may be told that neither of Ansible's runs comes to.
 */
export function checkDifferences(ours: Outcome, check: Outcome, real: Outcome): string[] {
  let open = false;
  const compare: Compare = (mine, others) => {
    open ||= others.length === 2 && others[1]!.status === 'skipped' && others[0]!.status !== 'skipped';
    if (isLooking(mine) || (isKnownLater(mine.values.failed) && others.some(hasFailed))) return [];
    return open && isUndecided(mine) ? [] : rowDifferences(mine, others, isKnownLater);
  };
  return compared(ours, [real, check], compare, { isOpen: () => open });
}

/** Whether it changes, or whether it fails, is known later; or it rests on what a command before may have changed. */
function isUndecided({ status, values, provisional }: Row): boolean {
  return status === 'unknown' || provisional === true || isKnownLater(values.failed);
}

/** Facts about all units or packages, after tasks that would have changed some: they are of the host as it will be. */
function isLooking({ module, status }: Row): boolean {
  return status === 'unknown' && (module === 'service_facts' || module === 'package_facts');
}

function hasFailed({ status }: Row): boolean {
  return status === 'failed' || status === 'ignored';
}

type Compare = (mine: Row, others: Row[]) => string[];

/** Since when it is not known how a run goes on: what the sides come to may differ in the rows of handlers and rescues. */
interface Doubt {
  isOpen(): boolean;
}

/** Rows in turn, until none of the other sides is of the same task. Each side is followed at its own pace. */
function compared(ours: Outcome, theirs: Outcome[], compare: Compare, doubt?: Doubt): string[] {
  if (ours.rows.length === 0 || theirs[0]?.rows.length === 0) return [`no rows: ${ours.said} ${theirs[0]?.said}`];
  const lines: string[] = [];
  const sides = theirs.map(({ rows }) => ({ rows, at: 0 }));
  for (const [i, mine] of ours.rows.entries()) {
    const others = sides.flatMap((side) => follow(side, mine, doubt));
    if (others.length === 0 && doubt?.isOpen() && mine.status === 'unknown') continue;
    if (others.length === 0) return [...lines, `${i}: ${shown(mine)} here, ${shown(here(sides[0]))} there`];
    lines.push(...compare(mine, others).map((line) => `${i} ${mine.name}: ${line}`));
  }
  if (sides.every((side) => here(side))) lines.push(`the end: nothing here, ${shown(here(sides[0]))} there`);
  const codes = theirs.map(({ exit }) => exit);
  return codes.includes(ours.exit) ? lines : [...lines, `exit ${ours.exit} here, ${codes.join(' or ')} there`];
}

interface Side {
  rows: readonly Row[];
  at: number;
}

function here({ rows, at }: Side = { rows: [], at: 0 }): Row | undefined {
  return rows[at];
}

/** Rows that a failure adds: as many at most are passed over, once it is not known whether there was one. */
const longestRescue = 3;

/** The side's row of the same task, and on behind it. */
function follow(side: Side, mine: Row, doubt: Doubt | undefined): Row[] {
  const reach = doubt?.isOpen() ? longestRescue : 0;
  const found = side.rows.slice(side.at, side.at + 1 + reach).findIndex(({ name }) => name === mine.name);
  if (found < 0) return [];
  side.at += found + 1;
  return [side.rows[side.at - 1]!];
}

function shown(row: Row | undefined): string {
  return row ? `'${row.name}' (${row.status})` : 'nothing';
}

function rowDifferences(mine: Row, others: Row[], mayBe?: (value: unknown) => boolean): string[] {
  const alike = others.filter((other) => plainStatus(other) === plainStatus(mine));
  if (alike.length > 0) return valueDifferences(mine, [...alike, ...others], mayBe);
  const told = others.map(({ status, values }) => `${status} there: ${text(values.msg)}`);
  return [`${mine.status} here (${text(mine.values.msg)}), ${told.join(' or ')}`];
}

/** The JSON of ansible-playbook does not tell failures that are ignored or rescued: what comes after does. */
function plainStatus({ status }: Row): string {
  return status === 'ignored' ? 'failed' : status;
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
    'ansible_job_id',
    'results_file',
    'backup',
  ],
  ...['ansible_loop_var', 'item', 'ansible_index_var', 'ansible_loop', 'failed_when_result', 'failed'],
]);

function valueDifferences(mine: Row, others: Row[], mayBe?: (value: unknown) => boolean): string[] {
  const [other] = others;
  if (!other || other.values.censored) return [];
  return Object.keys(other.values)
    .filter((name) => !name.startsWith('_ansible') && !ignored.has(name) && !isAside(name, other))
    .filter((name) => name !== other.values.ansible_loop_var && name !== other.values.ansible_index_var)
    .filter((name) => !mayBe?.(mine.values[name]) && !(ofAnswer.has(name) && isNotAskedFor(mine)))
    .filter((name) => others.every(({ values }) => text(mine.values[name]) !== text(values[name])))
    .map((name) => `${name} is ${text(mine.values[name])} here, ${text(other.values[name])} there`);
}

/** What is said of a value that only running can tell, in Ansible's words or kpush's: in a real run there is none. */
function isKnownLater(value: unknown): boolean {
  return text(value).includes('(known after ') || (typeof value === 'string' && wordsOfCheck.test(value));
}

const wordsOfCheck = /^(Command would have run if not in check mode$|Would not run command since )/;

/** kpush does not ask for a file again that is there: Ansible's documentation says so, its code asks whether it is new. */
function isNotAskedFor({ module, values }: Row): boolean {
  return module === 'get_url' && values.status_code === undefined && /^file already exists/.test(String(values.msg));
}

const ofAnswer = new Set(['msg', 'status_code', 'checksum_src', 'checksum_dest', 'md5sum']);

/** Errors are told in each tool's own words and fields; the size of a folder is its file system's. */
function isAside(name: string, { status, module, values }: Row): boolean {
  if (status === 'failed') return !told(name, module);
  if (asideOf[module]?.includes(name)) return true;
  return name === 'size' && values.state === 'directory';
}

/** Listed in docs/differences.md, or of the moment. */
const asideOf: Readonly<Record<string, readonly string[]>> = {
  add_host: ['add_host'],
  group_by: ['add_group', 'parent_groups'],
  copy: ['path'],
  tempfile: ['path'],
  user: ['stderr', 'stdout'],
  // Ansible says which command it ran, with which kpush has nothing to do.
  timezone: ['msg'],
  // Ansible rests a second longer where no key can be pressed.
  pause: ['stdout', 'stop'],
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
  return JSON.stringify(sorted(value))?.replace(/\/tmp\/(kpush-fetched\/\w+|kp\w{8,}\.d)/g, 'RANDOM') ?? 'nothing';
}

/** Inside of what stat and find tell: of the moment and the disk, the inode's version is random. */
const momentary = new Set([...['atime', 'ctime', 'mtime', 'inode', 'dev', 'blocks', 'version']]);

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !momentary.has(name));
  const entries = kept.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, item]) => [name, sorted(item)]));
}
