import type { FactKey } from '../core/facts.ts';
import type { ModuleContext, Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { scalarText } from '../core/plain.ts';
import { type Result, result, TaskFailure } from '../core/result.ts';
import type { Step, StepOutcome } from '../core/steps.ts';
import { Unknown, type Value } from '../jinja/values.ts';
import { fileKey } from '../world/file.ts';
import { fileFields } from '../world/file-fields.ts';
import { whichKey } from '../world/which.ts';
import { defineModule } from './define.ts';
import { accountKeys } from './lib/account.ts';
import { attributeParams } from './lib/attributes.ts';
import { json } from './lib/content-text.ts';
import { formUrlencoded } from './lib/form.ts';
import { shownUrl } from './lib/get-url-step.ts';
import { type HostFile, hostFile } from './lib/host-file.ts';
import { followed } from './lib/links.ts';
import { completeTold } from './lib/one-step.ts';
import { hostPath, pathKeys } from './lib/paths.ts';
import { notNeeded, runWhenKeys } from './lib/run-when.ts';
import { keysOrNone } from './lib/source.ts';
import { uriAnswer } from './lib/uri-answer.ts';
import { type Request, uriScript } from './lib/uri-script.ts';

const params = {
  url: { type: 'str', operand: true, doc: 'What to ask', required: true },
  method: { type: 'str', doc: 'GET, POST, PUT …', default: 'GET' },
  body: { type: 'raw', doc: 'What to send' },
  body_format: {
    type: 'str',
    doc: 'How the body is written; form-multipart is not supported',
    choices: ['form-urlencoded', 'json', 'raw', 'form-multipart'],
    default: 'raw',
  },
  src: { type: 'path', doc: 'A file of the host that is the body' },
  remote_src: { type: 'bool', doc: 'src is on the host; it has to be', default: false },
  headers: { type: 'dict', doc: 'Headers of the request', default: {} },
  status_code: { type: 'list', elements: 'int', doc: 'Answers that are right', default: [200] },
  return_content: { type: 'bool', doc: 'Put the body into the result', default: false },
  dest: { type: 'path', doc: 'File of the host that takes the body' },
  creates: { type: 'path', doc: 'A path: when it is there, there is nothing to do' },
  removes: { type: 'path', doc: 'A path: when it is not there, there is nothing to do' },
  follow_redirects: {
    type: 'str',
    doc: 'safe: for GET and HEAD',
    choices: ['all', 'no', 'none', 'safe', 'urllib2', 'yes'],
    default: 'safe',
  },
  timeout: { type: 'int', doc: 'Seconds', default: 30 },
  url_username: { type: 'str', doc: 'User for basic authentication', aliases: ['user'] },
  url_password: { type: 'str', doc: 'Its password', secret: true, aliases: ['password'] },
  force_basic_auth: { type: 'bool', doc: 'Accepted; the password is always sent at once', default: false },
  validate_certs: { type: 'bool', doc: 'Check the certificate of the server', default: true },
  ca_path: { type: 'path', doc: 'CA certificate on the host' },
  client_cert: { type: 'path', doc: 'Client certificate on the host' },
  client_key: { type: 'path', doc: 'Its key' },
  use_proxy: { type: 'bool', doc: 'Use the proxy of the environment', default: true },
  unix_socket: { type: 'path', doc: 'Socket of the host to ask through' },
  http_agent: { type: 'str', doc: 'User-Agent', default: 'ansible-httpget' },
  force: { type: 'bool', doc: 'Accepted; nothing is cached', default: false, aliases: ['thirsty'] },
  ...attributeParams,
} as const satisfies ParamSpecs;

type UriParams = Params<typeof params>;

export const uriModule = defineModule({
  name: 'uri',
  doc: {
    summary: 'Asks a web service, from the host',
    notes: ['The host needs curl. What is answered is known only when it runs; a plan says unknown.'],
    examples:
      "- uri: {url: 'https://127.0.0.1:6443/readyz', validate_certs: false, status_code: [200, 401]}\n  register: ready\n  until: ready.status == 200\n  retries: 30\n",
    returns: {
      status: 'status, -1 where nothing answered',
      json: 'the body, where it is JSON',
      content: 'the body, with return_content or a wrong status',
      url: 'what answered at last',
      content_type: 'headers of the answer, each by its name with _ for -',
    },
  },
  params,
  rules: { exclusive: [['body', 'src']] },
  facts: (given, ctx) => keysOrNone(() => keysOf(given, ctx)),
  plan: (given, world, ctx) => planUri(given, world, ctx),
  complete: (given, predicted, outcomes) => completed(given, predicted, outcomes),
});

function keysOf(given: UriParams, ctx: ModuleContext): FactKey[] {
  const dest =
    given.dest === undefined
      ? []
      : [...pathKeys(ctx, given.dest, (path) => [fileKey(path)]), ...accountKeys(ctx, given)];
  return [whichKey('curl'), ...runWhenKeys(given, ctx), ...dest];
}

function planUri(given: UriParams, world: WorldView, ctx: ModuleContext): Plan {
  const method = given.method.toUpperCase();
  if (!/^[A-Z]+$/.test(method))
    throw new TaskFailure("Parameter 'method' needs to be a single word in uppercase, like GET or POST.");
  const { creates, removes } = given;
  const skip = notNeeded({ creates, removes }, world, ctx);
  if (skip) return { steps: [], result: result(false, skipped(given)) };
  const dest = given.dest === undefined ? undefined : destOf(given.dest, given, world, ctx);
  const title = `${method} ${shownUrl(given.url)}`;
  const step: Step = {
    title,
    run: { kind: 'sh', script: uriScript(requestOf(given, method), given.status_code, dest?.made, dest?.path ?? '') },
    effects: dest ? [{ type: 'file.unknown', path: dest.path, why: title }] : [],
    always: true,
  };
  return { steps: [step], result: predicted(given, dest, title) };
}

interface Dest {
  path: string;
  made: HostFile;
}

function destOf(written: string, given: UriParams, world: WorldView, ctx: ModuleContext): Dest {
  const { path, fact } = followed(world, hostPath(world, ctx, written));
  if (fact.exists && fact.kind !== 'file')
    throw new TaskFailure(`${path} is a ${fact.kind}`, {}, 'name the file itself');
  if (!fact.exists && fact.parent !== 'directory') throw new TaskFailure(`the folder of ${path} does not exist`);
  return { path, made: hostFile(path, fact, given, world, ctx) };
}

/** The file as it will be but for its size. */
function fieldsOf({ path, made }: Dest): Record<string, Value> {
  return fileFields(path, { exists: true, canonical: path, kind: 'file', ...made.effect });
}

function skipped({ creates, removes }: UriParams): Record<string, Value> {
  const stdout = `skipped, since '${creates ?? removes}' ${creates === undefined ? 'does not exist' : 'exists'}`;
  return { stdout, stdout_lines: [stdout] };
}

/** Fields of an answer, with the headers that playbooks read. */
const told = [
  ...['status', 'url', 'redirected', 'elapsed', 'msg', 'json', 'cookies', 'cookies_string'],
  ...['content_type', 'content_length', 'connection', 'date', 'server', 'location', 'etag', 'last_modified'],
];

function predicted(given: UriParams, dest: Dest | undefined, title: string): Result {
  const later = new Unknown(title);
  const names = [...told, ...(given.status_code.some((code) => code >= 400) ? ['body'] : [])];
  const values: Record<string, Value> = Object.fromEntries(names.map((name) => [name, later]));
  if (given.return_content) values.content = later;
  return result(
    dest === undefined ? false : later,
    dest === undefined ? values : { ...values, ...fieldsOf(dest), path: dest.path },
  );
}

function requestOf(given: UriParams, method: string): Request {
  const { url, timeout, validate_certs: validateCerts, use_proxy: useProxy, http_agent: agent } = given;
  const safe = method === 'GET' || method === 'HEAD';
  const { headers, body } = sent(given);
  if (given.src !== undefined && !given.remote_src)
    throw new TaskFailure('src of the controller is not supported', {}, sourceHint);
  return {
    ...{ url, method, timeout, validateCerts, useProxy, agent, headers, body, file: given.src },
    ...{ user: given.url_username, password: given.url_password },
    follow:
      ['all', 'yes'].includes(given.follow_redirects) || (safe && !['no', 'none'].includes(given.follow_redirects)),
    ...{ caPath: given.ca_path, cert: given.client_cert, key: given.client_key, socket: given.unix_socket },
  };
}

const sourceHint = 'write body: "{{ lookup(\'file\', NAME) }}", or copy the file first and say remote_src: true';

/** The body as text, with the header that its format asks for. */
function sent({ body, body_format: format, headers: given }: UriParams): Pick<Request, 'headers' | 'body'> {
  const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
  const typed = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  const withType = (type: string) => (typed ? headers : { ...headers, 'Content-Type': type });
  if (format === 'form-multipart')
    throw new TaskFailure('body_format form-multipart is not supported', {}, 'call curl -F in a command');
  const text = body === undefined ? undefined : scalarText(body as Value);
  if (format === 'json') return { headers: withType('application/json'), body: text ?? json((body ?? null) as Value) };
  if (format === 'raw') return { headers, body: body === undefined ? undefined : (text ?? json(body as Value)) };
  return { headers: withType('application/x-www-form-urlencoded'), body: text ?? formUrlencoded(body as Value) };
}

function completed(given: UriParams, predicted: Result, outcomes: readonly StepOutcome[]): Result {
  const [outcome] = outcomes;
  const answer = outcome && uriAnswer(outcome, given.url, given.status_code, given.return_content);
  if (!answer) return completeTold(predicted, outcomes);
  const failed = !given.status_code.includes(answer.status);
  const values = new Map(Object.entries({ ...answer.values, ...fileValues(predicted, answer.size) }));
  return { changed: answer.wrote, ...(failed ? { failed } : {}), values };
}

function fileValues(predicted: Result, size: number): Record<string, Value> {
  if (!predicted.values.has('path')) return {};
  const names = ['path', 'uid', 'gid', 'owner', 'group', 'mode', 'state'];
  return { ...Object.fromEntries(names.map((name) => [name, predicted.values.get(name) ?? null])), size };
}
