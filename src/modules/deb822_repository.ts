import type { ModuleContext, Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { result, TaskFailure } from '../core/result.ts';
import { fileFields } from '../world/file-fields.ts';
import { defineModule } from './define.ts';
import { type EditParams, editKeys, openText, saveText } from './lib/edit.ts';
import { removeFileStep } from './lib/remove-file.ts';

const flags = {
  allow_downgrade_to_insecure: 'An insecure source may take the place of a secure one',
  allow_insecure: 'Without any check',
  allow_weak: 'Weak signatures count',
  by_hash: 'Load indexes by their hash',
  check_date: 'Judge the date of the release',
  check_valid_until: 'Judge until when the release is valid',
  enabled: 'Whether it is used',
  pdiffs: 'Load differences of indexes',
  trusted: 'Take it as signed',
} as const;

type Flags = { readonly [K in keyof typeof flags]: { type: 'bool'; doc: string } };

const params = {
  name: { type: 'str', doc: 'Name of the source and of its file', required: true },
  types: { type: 'list', elements: 'str', doc: 'deb, deb-src', default: ['deb'] },
  uris: { type: 'list', elements: 'str', doc: 'Where the archive is' },
  suites: { type: 'list', elements: 'str', doc: 'Suites, or a path that ends with a slash' },
  components: { type: 'list', elements: 'str', doc: 'Components' },
  architectures: { type: 'list', elements: 'str', doc: 'Architectures' },
  languages: { type: 'list', elements: 'str', doc: 'Languages of descriptions' },
  targets: { type: 'list', elements: 'str', doc: 'Kinds of indexes' },
  signed_by: { type: 'str', doc: 'Path of a keyring on the host, or the key itself in ASCII armor' },
  date_max_future: { type: 'int', doc: 'Seconds a release may lie in the future' },
  inrelease_path: { type: 'str', doc: 'Path of the InRelease file' },
  mode: { type: 'mode', doc: 'Permission bits of the file', default: '0644' },
  state: { type: 'str', doc: 'Whether it shall be there', choices: ['absent', 'present'], default: 'present' },
  ...(Object.fromEntries(Object.entries(flags).map(([name, doc]) => [name, { type: 'bool', doc }])) as Flags),
} as const satisfies ParamSpecs;

type SourceParams = Params<typeof params>;

export const deb822RepositoryModule = defineModule({
  name: 'deb822_repository',
  doc: {
    summary: 'Keeps a source of Debian packages in a .sources file',
    notes: ['The key is not fetched: put it on the host with get_url or copy, or give it as text.'],
    examples:
      '- deb822_repository:\n    name: kubernetes\n    uris: https://pkgs.example/core:/stable:/v1.30/deb/\n    suites: /\n    signed_by: /etc/apt/keyrings/kubernetes.asc\n',
    returns: { dest: 'the file', repo: 'its text', key_filename: 'path of the keyring' },
  },
  params,
  facts: (given, ctx) => editKeys(editOf(given), ctx),
  plan: (given, world, ctx) => planSource(given, world, ctx),
});

function planSource(given: SourceParams, world: WorldView, ctx: ModuleContext): Plan {
  const opened = openText(editOf(given), world, ctx);
  if (given.state === 'absent') {
    const steps = opened.text === undefined ? [] : [removeFileStep(opened.path, opened.text)];
    return { steps, result: result(steps.length > 0, { repo: null, dest: null, key_filename: null }) };
  }
  const repo = sourceText(given);
  const saved = saveText(opened, repo, editOf(given), world, ctx);
  const key = given.signed_by?.startsWith('/') ? given.signed_by : null;
  const fields = saved.after ? fileFields(opened.path, saved.after) : {};
  return {
    steps: saved.steps,
    result: result(saved.steps.length > 0, { ...fields, repo, dest: opened.path, key_filename: key }),
  };
}

/** Fields in the order of their parameters' names; Name is X-Repolib-Name. */
function sourceText(given: SourceParams): string {
  if (/^\w+:\/\//.test(given.signed_by ?? '')) throw urlRefused();
  const { state: _state, mode: _mode, ...fields } = given;
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${fieldName(name)}: ${fieldValue(value)}\n`)
    .join('');
}

const odd: Record<string, string> = {
  name: 'X-Repolib-Name',
  uris: 'URIs',
  inrelease_path: 'InRelease-Path',
  pdiffs: 'PDiffs',
};

function fieldName(name: string): string {
  return (
    odd[name] ??
    name
      .split('_')
      .map((word) => word[0]!.toUpperCase() + word.slice(1))
      .join('-')
  );
}

/** Lines of a text go on indented; an empty one is a dot. */
function fieldValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = Array.isArray(value) ? value.join(' ') : String(value);
  const lines = text.trim().split('\n');
  return lines.length === 1 ? lines[0]! : lines.map((line) => `\n ${line.trim() === '' ? '.' : line}`).join('');
}

function editOf({ name, mode }: SourceParams): EditParams {
  const slug = name
    .toLowerCase()
    .replace(/[_\s]+/g, '-')
    .replace(/[^a-z0-9-]+/g, '');
  return { path: `/etc/apt/sources.list.d/${slug}.sources`, backup: false, unsafe_writes: false, mode };
}

function urlRefused(): TaskFailure {
  const hint = 'put it into /etc/apt/keyrings with get_url, and name that path';
  return new TaskFailure('kpush does not fetch the key of signed_by', {}, hint);
}
