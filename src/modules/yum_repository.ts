import type { ModuleContext, Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { result, TaskFailure } from '../core/result.ts';
import { file, fileKey } from '../world/file.ts';
import { defineModule } from './define.ts';
import { attributeParams } from './lib/attributes.ts';
import { type EditParams, editKeys, openText, saveText } from './lib/edit.ts';
import { join } from './lib/paths.ts';
import { removeFileStep } from './lib/remove-file.ts';
import { type Repo, readRepos, writeRepos } from './lib/yum-repos.ts';

const texts = {
  bandwidth: 'Bytes a second at most',
  cost: 'Cost against other repositories',
  deltarpm_metadata_percentage: 'Limit of delta metadata',
  deltarpm_percentage: 'Limit of delta packages',
  failovermethod: 'Order of base URLs',
  gpgcakey: 'URL of the CA key',
  http_caching: 'What caches on the way may keep',
  include: 'URL of further configuration',
  ip_resolve: 'IP version',
  keepcache: 'Whether packages are kept',
  metadata_expire: 'Age of metadata',
  metadata_expire_filter: 'What the age holds for',
  metalink: 'URL of a metalink file',
  mirrorlist: 'URL of a list of mirrors',
  mirrorlist_expire: 'Age of that list',
  priority: 'Priority, 1 to 99',
  proxy: 'URL of a proxy',
  proxy_username: 'User at the proxy',
  retries: 'How often a download is tried',
  sslcacert: 'Folder or file of CA certificates',
  sslclientcert: 'Client certificate',
  sslclientkey: 'Its key',
  throttle: 'Bandwidth limit',
  timeout: 'Seconds',
  ui_repoid_vars: 'Variables shown in the id',
  username: 'User',
} as const;

const flags = {
  async: 'Download in parallel',
  enabled: 'Whether it is used',
  enablegroups: 'Whether its package groups are used',
  gpgcheck: 'Whether signatures of packages are checked',
  keepalive: 'Keep connections open',
  module_hotfixes: 'Make its packages available whatever streams are enabled',
  protect: 'Protect its packages',
  repo_gpgcheck: 'Whether the signature of the metadata is checked',
  s3_enabled: 'S3',
  skip_if_unavailable: 'Go on without it',
  ssl_check_cert_permissions: 'Check permissions of certificates',
  sslverify: 'Check the certificate of the server',
} as const;

type Texts = { readonly [K in keyof typeof texts]: { type: 'str'; doc: string } };
type Flags = { readonly [K in keyof typeof flags]: { type: 'bool'; doc: string } };

const specs = <T extends string>(docs: Readonly<Record<string, string>>, type: T) =>
  Object.fromEntries(Object.entries(docs).map(([name, doc]) => [name, { type, doc }]));

const params = {
  name: { type: 'str', doc: 'Id of the repository', required: true },
  description: { type: 'str', doc: 'Its name for people' },
  file: { type: 'str', doc: 'Name of the file without .repo; default: the id' },
  reposdir: { type: 'path', doc: 'Folder of the files', default: '/etc/yum.repos.d' },
  state: { type: 'str', doc: 'Whether it shall be there', choices: ['present', 'absent'], default: 'present' },
  baseurl: { type: 'list', elements: 'str', doc: 'URLs of it' },
  gpgkey: { type: 'list', elements: 'str', doc: 'URLs of keys' },
  exclude: { type: 'list', elements: 'str', doc: 'Packages left out' },
  includepkgs: { type: 'list', elements: 'str', doc: 'The only packages taken' },
  password: { type: 'str', doc: 'Password', secret: true },
  proxy_password: { type: 'str', doc: 'Password at the proxy', secret: true },
  ...(specs(texts, 'str') as Texts),
  ...(specs(flags, 'bool') as Flags),
  ...attributeParams,
} as const satisfies ParamSpecs;

type RepoParams = Params<typeof params>;

export const yumRepositoryModule = defineModule({
  name: 'yum_repository',
  doc: {
    summary: 'Keeps a repository of RPM packages',
    examples:
      '- yum_repository: {name: kubernetes, description: Kubernetes, baseurl: https://pkgs.example/rpm/, gpgcheck: true}\n',
    returns: { repo: 'the id', state: 'as asked' },
  },
  params,
  facts: (given, ctx) => [fileKey(given.reposdir), ...editKeys(editOf(given), ctx)],
  plan: (given, world, ctx) => planRepo(given, world, ctx),
});

function planRepo(given: RepoParams, world: WorldView, ctx: ModuleContext): Plan {
  check(given, world);
  const opened = openText(editOf(given), world, ctx);
  const before = readRepos(opened.text ?? '');
  const others = before.filter(({ id }) => id !== given.name);
  const after = given.state === 'absent' ? others : [...others, { id: given.name, options: optionsOf(given) }];
  const values = { repo: given.name, state: given.state };
  if (sorted(before) === sorted(after)) {
    const kept = saveText(opened, undefined, editOf(given), world, ctx);
    return { steps: kept.steps, result: result(kept.steps.length > 0, values) };
  }
  if (after.length === 0) return { steps: [removeFileStep(opened.path, opened.text)], result: result(true, values) };
  const saved = saveText(opened, writeRepos(after), editOf(given), world, ctx);
  return { steps: saved.steps, result: result(saved.steps.length > 0, values), warnings: saved.warnings };
}

function check({ state, name, description, baseurl, metalink, mirrorlist, reposdir }: RepoParams, world: WorldView) {
  const fact = file(world, reposdir);
  if (!fact.exists) throw new TaskFailure(`Repo directory '${reposdir}' does not exist.`);
  if (state === 'absent') return;
  if (baseurl === undefined && metalink === undefined && mirrorlist === undefined)
    throw new TaskFailure("Parameter 'baseurl', 'metalink' or 'mirrorlist' is required.");
  if (description === undefined) throw new TaskFailure("Parameter 'description' is required.", { repo: name });
}

/** Names in the file are Ansible's; the description is called name there. */
function optionsOf(given: RepoParams): Map<string, string> {
  const names = [...Object.keys(texts), ...Object.keys(flags), 'exclude', 'includepkgs', 'password', 'proxy_password'];
  const lines: [string, unknown][] = [
    ['name', given.description],
    ['baseurl', given.baseurl?.join('\n')],
    ['gpgkey', given.gpgkey?.join('\n')],
    ...names.map((name): [string, unknown] => [name, given[name as keyof RepoParams]]),
  ];
  const set = lines
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, text(value)]);
  return new Map(set.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function text(value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  return Array.isArray(value) ? value.join(' ') : String(value);
}

/** The order of repositories and options means nothing. */
function sorted(repos: readonly Repo[]): string {
  const lines = ({ id, options }: Repo) => [id, [...options].sort(([a], [b]) => (a < b ? -1 : 1))];
  return JSON.stringify([...repos].sort((a, b) => (a.id < b.id ? -1 : 1)).map(lines));
}

function editOf({ reposdir, file, name, mode, owner, group }: RepoParams): EditParams {
  return { path: join(reposdir, `${file ?? name}.repo`), backup: false, unsafe_writes: false, mode, owner, group };
}
