import type { Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { quote, quoteAll } from '../core/quote.ts';
import { type Result, result, TaskFailure } from '../core/result.ts';
import type { Step, StepOutcome } from '../core/steps.ts';
import { wait } from '../core/waits.ts';
import { Unknown, type Value } from '../jinja/values.ts';
import { type ToolQuery, tool, toolKey } from '../world/tool.ts';
import { defineModule } from './define.ts';
import { downloadScript } from './lib/download.ts';
import { completeTold } from './lib/one-step.ts';

const params = {
  id: { type: 'str', operand: true, doc: 'Id or fingerprint of the key' },
  url: { type: 'str', operand: true, doc: 'URL of the key' },
  data: { type: 'str', doc: 'The key itself, in ASCII armor' },
  file: { type: 'path', doc: 'File of the host that holds the key' },
  keyserver: { type: 'str', operand: true, doc: 'Server to ask for the id' },
  keyring: { type: 'path', doc: 'Keyring in place of /etc/apt/trusted.gpg' },
  state: { type: 'str', doc: 'Whether the key shall be there', choices: ['absent', 'present'], default: 'present' },
  validate_certs: { type: 'bool', doc: 'Check the certificate of the server', default: true },
} as const satisfies ParamSpecs;

type KeyParams = Params<typeof params>;

export const aptKeyModule = defineModule({
  name: 'apt_key',
  doc: {
    summary: 'Keeps keys that apt trusts for all sources',
    notes: [
      'Debian 13 has no apt-key any more: put the key into /etc/apt/keyrings with get_url or copy, and name it in the source (signed-by).',
      'Without `id`, which key it is shows only when it is added: a plan says unknown then.',
    ],
    examples: '- apt_key: {url: https://pkgs.example/key.asc, id: 3B4FE6ACC0B21F32}\n',
    returns: {
      id: 'as given',
      short_id: 'its last 8 digits',
      fp: 'its last 16 digits',
      key_id: 'it in capitals, without 0x',
      before: 'ids of the keys that were there',
      after: 'ids of those that are there then',
    },
  },
  params,
  rules: { exclusive: [['data', 'file', 'keyserver', 'url']] },
  facts: (given) => [toolKey(listQuery(given))],
  plan: (given, world) => planKey(given, world),
  complete: (given, predicted, outcomes) => completed(idOf(given), predicted, outcomes),
});

const changedMark = 'kpush: changed';

function planKey(given: KeyParams, world: WorldView): Plan {
  const { rc, stdout = '' } = tool(world, listQuery(given));
  if (rc === 127)
    throw new TaskFailure(
      'this host has no apt-key',
      {},
      'put the key into /etc/apt/keyrings, and name it by signed-by',
    );
  const id = idOf(given);
  if (given.state === 'absent' && id === undefined) throw new TaskFailure('key is needed to be removed: give its id');
  const before = keysIn(stdout, id);
  const there = id !== undefined && before.includes(id.slice(-16));
  const values = { id: given.id ?? null, ...(id === undefined ? {} : { ...formsOf(id), before }) };
  if (id !== undefined && there === (given.state === 'present')) return { steps: [], result: result(false, values) };
  const open = id === undefined;
  const step = keyStep(given, id, listQuery(given));
  return {
    steps: [open ? { ...step, always: true } : step],
    result: result(open ? new Unknown(step.title) : true, { ...values, after: new Unknown(step.title) }),
  };
}

/** What apt-key deletes by, what it lists, and the id as given. */
function formsOf(id: string): Record<string, Value> {
  return { short_id: id.slice(-8), fp: id.slice(-16), key_id: id };
}

/** Ids of keys and their subkeys that have not expired, of eight digits where the id that is asked for has eight. */
function keysIn(listing: string, id: string | undefined): string[] {
  const rows = listing.split('\n').map((line) => line.split(':'));
  const valid = rows.filter(([kind = '', validity]) => (kind === 'pub' || kind === 'sub') && validity !== 'e');
  return valid.map(([, , , , key = '']) => (id?.length === 8 ? key.slice(-8) : key));
}

function keyStep(given: KeyParams, id: string | undefined, query: ToolQuery): Step {
  const name = id ?? given.url ?? given.file ?? 'the key';
  const adds = given.state === 'present';
  const list = quoteAll(query.argv);
  const lines = [
    'export LC_ALL=C APT_KEY_DONT_WARN_ON_DANGEROUS_USAGE=1',
    `b=$(${list} 2>/dev/null)`,
    ...(adds ? addLines(given) : [`${quoteAll([...aptKey(given), 'del', id!])} >/dev/null || exit 1`]),
    `a=$(${list} 2>/dev/null)`,
    `[ "$b" = "$a" ] || echo ${quote(changedMark)}; printf '%s\\n' "$a"`,
  ];
  return {
    title: `${adds ? 'add' : 'remove'} apt key ${name}`,
    run: { kind: 'sh', script: lines.join('\n'), ...(given.data === undefined ? {} : { stdin: given.data }) },
    effects: [
      { type: 'fact.unknown', family: 'tool', id: toolKey(query).id, why: `${name} is ${adds ? 'added' : 'removed'}` },
    ],
    diff: [
      {
        kind: 'fields',
        subject: 'keys of apt',
        fields: [{ name, before: adds ? null : 'present', after: adds ? 'present' : null }],
      },
    ],
  };
}

function addLines(given: KeyParams): string[] {
  const add = (file: string) => `${quoteAll([...aptKey(given), 'add'])} ${file} >/dev/null || exit 1`;
  if (given.data !== undefined) return [add('-')];
  if (given.file !== undefined) return [add(quote(given.file))];
  if (given.url !== undefined) {
    const plain = { headers: {}, timeout: wait('download').timeout, useProxy: true, agent: 'ansible-httpget' };
    const fetch = downloadScript({ url: given.url, validateCerts: given.validate_certs, ...plain });
    return ['umask 077; t=$(mktemp) || exit 1', 'trap \'rm -f "$t"\' EXIT', fetch, add('"$t"')];
  }
  if (given.keyserver === undefined || given.id === undefined)
    throw new TaskFailure('missing key data, file, url, or keyserver with id');
  return [
    `${quoteAll([...aptKey(given), 'adv', '--no-tty', '--keyserver', given.keyserver, '--recv', given.id])} >/dev/null || exit 1`,
  ];
}

function aptKey({ keyring }: KeyParams): string[] {
  return ['apt-key', ...(keyring === undefined ? [] : ['--keyring', keyring])];
}

/** Without lines that are others each time: where it runs gpg, and when that made its trust database. */
const listing =
  'command -v apt-key >/dev/null || exit 127; apt-key "$@" adv --list-public-keys --with-colons | sed -e /^tru:/d -e /^Executing:/d';

function listQuery({ keyring }: KeyParams): ToolQuery {
  return { argv: ['sh', '-c', listing, 'apt-key', ...(keyring === undefined ? [] : ['--keyring', keyring])] };
}

function idOf({ id }: KeyParams): string | undefined {
  if (id === undefined) return undefined;
  const hex = id.replace(/\s+/g, '').replace(/^0x/i, '').toUpperCase();
  if (!/^([0-9A-F]{8}|[0-9A-F]{16,})$/.test(hex)) throw new TaskFailure(`invalid key id ${id}`);
  return hex;
}

function completed(id: string | undefined, predicted: Result, outcomes: readonly StepOutcome[]): Result {
  const ran = completeTold(predicted, outcomes);
  const after = keysIn(outcomes[0]?.stdout ?? '', id);
  const told = ran.values.has('after') ? { ...ran, values: new Map([...ran.values, ['after', after] as const]) } : ran;
  if (!(predicted.changed instanceof Unknown) || told.failed) return told;
  return { ...told, changed: outcomes.some(({ stdout }) => stdout.includes(changedMark)) };
}
