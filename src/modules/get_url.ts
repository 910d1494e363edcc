import type { FilePut } from '../core/effects.ts';
import type { FactKey } from '../core/facts.ts';
import type { ModuleContext, Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { type Result, result, TaskFailure } from '../core/result.ts';
import type { Step, StepOutcome } from '../core/steps.ts';
import { Unknown, type Value } from '../jinja/values.ts';
import { digest, digestKey } from '../world/digest.ts';
import { fileKey, type PresentFile } from '../world/file.ts';
import { fileFields } from '../world/file-fields.ts';
import { which, whichKey } from '../world/which.ts';
import { defineModule } from './define.ts';
import { accountKeys } from './lib/account.ts';
import { attributeParams, attributeSteps } from './lib/attributes.ts';
import { backupOf } from './lib/backup.ts';
import { type Checksum, checksumKeys, checksumOf, nameOf, plainChecksum } from './lib/checksum.ts';
import { downloadScript } from './lib/download.ts';
import { getUrlDiff, getUrlScript, parseOutput, shownUrl } from './lib/get-url-step.ts';
import { hostFile } from './lib/host-file.ts';
import { type Located as Followed, followed } from './lib/links.ts';
import { basename, dirname, hostPath, join, pathKeys } from './lib/paths.ts';
import { afterAttributes } from './lib/results.ts';
import { keysOrNone } from './lib/source.ts';

const params = {
  url: { type: 'str', operand: true, doc: 'What to download', required: true },
  dest: { type: 'path', doc: 'Where to; a directory takes the name from the URL', required: true },
  checksum: { type: 'str', doc: 'ALGORITHM:HEX, or ALGORITHM:URL of a file of checksums' },
  force: {
    type: 'bool',
    doc: 'Download even when the file is there and no checksum judges it',
    default: false,
    aliases: ['thirsty'],
  },
  backup: { type: 'bool', doc: 'Keep a copy of what is replaced', default: false },
  timeout: { type: 'int', doc: 'Seconds without an answer or progress after which it fails', default: 10 },
  headers: { type: 'dict', doc: 'Headers of the request' },
  url_username: { type: 'str', doc: 'User for basic authentication', aliases: ['username'] },
  url_password: { type: 'str', doc: 'Password for basic authentication', secret: true, aliases: ['password'] },
  force_basic_auth: { type: 'bool', doc: 'Accepted; the password is always sent at once', default: false },
  validate_certs: { type: 'bool', doc: 'Check the certificate of the server', default: true },
  use_proxy: { type: 'bool', doc: 'Use the proxy of the environment', default: true },
  http_agent: { type: 'str', doc: 'User-Agent of the request', default: 'ansible-httpget' },
  ...attributeParams,
} as const satisfies ParamSpecs;

export type GetUrlParams = Params<typeof params>;

export const getUrlModule = defineModule({
  name: 'get_url',
  doc: {
    summary: 'Downloads a file on the host',
    notes: [
      'With a checksum, a file that has it is not downloaded again, and a plan knows what will be there. Without one, a file that is there stays, unless force is set: then it is downloaded each time and replaced when it differs.',
      'The host needs curl or wget.',
    ],
    examples: `- get_url:
    url: https://mirror.example/kubelet
    dest: /usr/local/bin/kubelet
    checksum: sha256:0123…
    mode: '0755'
`,
    returns: {
      dest: 'path of the file',
      msg: 'what happened',
      checksum_src: 'sha1 of what was downloaded',
      status_code: '200',
    },
  },
  params,
  facts: (given, ctx) => keysOrNone(() => keysOf(given, ctx)),
  plan: (given, world, ctx) => planGet(given, world, ctx),
  complete: (given, predicted, outcomes) => complete(given, predicted, outcomes),
});

function keysOf(given: GetUrlParams, ctx: ModuleContext): FactKey[] {
  const sum = plainChecksum(given.checksum);
  const of = (path: string) => [fileKey(path), ...(sum ? [digestKey(path, sum.algorithm)] : [])];
  const name = nameOf(given.url);
  const paths = (dest: string) => {
    if (dest.endsWith('/')) return [fileKey(dest), ...of(join(dest, name))];
    return basename(dest) === name ? of(dest) : [...of(dest), ...of(join(dest, name))];
  };
  return [
    ...pathKeys(ctx, given.dest, paths),
    ...checksumKeys(given.checksum),
    whichKey('curl'),
    whichKey('wget'),
    ...accountKeys(ctx, given),
  ];
}

function planGet(given: GetUrlParams, world: WorldView, ctx: ModuleContext): Plan {
  const at = locate(given, world, ctx);
  const sum = checksumOf(given.checksum, given.url, world);
  if (at.fact.exists && isSettled(at, given, sum, world)) return settled(at, at.fact, given, world);
  if (which(world, 'curl') === '' && which(world, 'wget') === '')
    throw new TaskFailure('neither curl nor wget is installed', {}, 'install one of them in an earlier task');
  return download(at, given, sum, world, ctx);
}

/** `dest` is a folder: what is in it is downloaded every time, as Ansible's documentation says. */
type Located = Followed & { inFolder: boolean };

function locate(given: GetUrlParams, world: WorldView, ctx: ModuleContext): Located {
  const dest = hostPath(world, ctx, given.dest);
  const at = followed(world, dest);
  const found = at.fact.exists && at.fact.kind === 'directory' ? followed(world, join(at.path, nameOf(given.url))) : at;
  if (found === at && dest.endsWith('/')) throw new TaskFailure(`Destination ${dest} does not exist`);
  if (found.fact.exists && found.fact.kind !== 'file') throw new TaskFailure(`${found.path} is a ${found.fact.kind}`);
  if (!found.fact.exists && found.fact.parent !== 'directory')
    throw new TaskFailure(`Destination ${dirname(found.path)} does not exist`);
  return { ...found, inFolder: found !== at };
}

function isSettled(at: Located, given: GetUrlParams, sum: Checksum | undefined, world: WorldView): boolean {
  return sum ? digest(world, at.path, sum.algorithm) === sum.hex : !given.force && !at.inFolder;
}

function settled(at: Located, fact: PresentFile, given: GetUrlParams, world: WorldView): Plan {
  const steps = attributeSteps(at.path, fact, given, world);
  const after = afterAttributes(at.path, fact, given, world);
  const msg = steps.length ? 'file already exists but file attributes changed' : 'file already exists';
  return {
    steps,
    result: result(steps.length > 0, { ...common(given, at), ...noSums, ...fileFields(at.path, after), msg }),
  };
}

/** Nothing was downloaded that could have any. */
const noSums = { checksum_src: null, checksum_dest: null };

function download(
  at: Located,
  given: GetUrlParams,
  sum: Checksum | undefined,
  world: WorldView,
  ctx: ModuleContext,
): Plan {
  const backup = given.backup && at.fact.exists ? backupOf(at.path, at.fact, world, ctx) : undefined;
  const made = hostFile(at.path, at.fact, { ...given, backup: backup?.path }, world, ctx);
  const put: FilePut = { type: 'file.put', path: at.path, kind: 'file', ...made.effect, nlink: 1, ...known(sum) };
  const fetch = downloadScript(requestOf(given));
  const step: Step = {
    title: `download ${shownUrl(given.url)} to ${at.path}`,
    run: { kind: 'sh', script: getUrlScript(made, fetch, at.path, sum) },
    effects: [...(backup ? [backup.effect] : []), ...unknownContent(at, sum), put],
    diff: getUrlDiff(at, put, sum, given.url),
    ...(sum ? {} : { always: at.fact.exists }),
  };
  const attributes = at.fact.exists ? attributeSteps(at.path, at.fact, given, world) : [];
  const open = at.fact.exists && !sum && attributes.length === 0;
  const changed = open ? new Unknown(`download of ${shownUrl(given.url)}`) : true;
  return { steps: [step], result: result(changed, downloaded(given, at, put, backup?.path)) };
}

function known(sum: Checksum | undefined): Partial<FilePut> {
  return sum?.algorithm === 'sha256' ? { sha256: sum.hex } : {};
}

/** What a file holds after a download that no sha256 judges is not known. */
function unknownContent(at: Located, sum: Checksum | undefined): Step['effects'] {
  if (sum?.algorithm === 'sha256' || !at.fact.exists) return [];
  return [{ type: 'file.unknown', path: at.path, why: `${at.path} was downloaded` }];
}

function requestOf(given: GetUrlParams) {
  const { url, timeout, url_username: user, url_password: password, validate_certs, use_proxy, http_agent } = given;
  const headers = Object.fromEntries(Object.entries(given.headers ?? {}).map(([name, value]) => [name, String(value)]));
  return {
    url,
    headers,
    user,
    password,
    timeout,
    validateCerts: validate_certs,
    useProxy: use_proxy,
    agent: http_agent,
  };
}

function common(given: GetUrlParams, at: Located): Record<string, Value> {
  return { url: given.url, dest: at.path };
}

function downloaded(given: GetUrlParams, at: Located, put: FilePut, backup: string | undefined): Record<string, Value> {
  const later = new Unknown(`download of ${shownUrl(given.url)}`);
  const { type: _type, path: _path, kind: _kind, sha256: _sha256, text: _text, ...fields } = put;
  const after: PresentFile = { exists: true, canonical: at.fact.canonical, kind: 'file', ...fields };
  return {
    ...common(given, at),
    ...fileFields(at.path, after),
    size: later,
    checksum_src: later,
    checksum_dest: at.fact.exists ? later : null,
    md5sum: later,
    msg: later,
    elapsed: later,
    status_code: 200,
    ...(backup === undefined ? {} : { backup_file: backup }),
  };
}

function complete(given: GetUrlParams, predicted: Result, outcomes: StepOutcome[]): Result {
  const outcome = outcomes.find(({ stdout }) => stdout.includes('kpush: '));
  if (!outcome) {
    const bad = outcomes.find(({ status, rc }) => status === 'failed' && rc !== 0);
    const msg = bad ? `Request failed: ${bad.stderr.trim().split('\n').at(-1) || `exit status ${bad.rc}`}` : undefined;
    return msg
      ? { ...predicted, failed: true, values: new Map([...predicted.values, ['msg', msg], ['url', given.url]]) }
      : predicted;
  }
  const { changed, ...values } = parseOutput(outcome);
  if (outcome.status === 'failed')
    return { ...predicted, failed: true, values: new Map([...predicted.values, ...Object.entries(values)]) };
  return {
    ...predicted,
    changed: changed || predicted.changed === true,
    values: new Map([...predicted.values, ...Object.entries(values)]),
  };
}
