import type { FactKey } from '../../core/facts.ts';
import type { ActionCall } from '../../core/needs.ts';
import { result, TaskFailure } from '../../core/result.ts';
import type { Match } from '../../jinja/index.ts';
import type { Value } from '../../jinja/values.ts';
import { type FileFact, fileKey } from '../../world/file.ts';
import { fileFields } from '../../world/file-fields.ts';
import type { ActionRun, ActionTools } from '../actions.ts';
import { type Look, lookOf } from './wait-looks.ts';

/** Looks at a host until what is waited for is so, or time is up. Without a port or a path the time itself is waited for. */
export const waitFor: ActionRun = async (call, tools) => {
  refuseNonsense(call.params);
  const start = tools.now();
  await tools.sleep(Number(call.params.delay));
  const look = lookOf(call.params);
  if (!look) await tools.sleep(Number(call.params.timeout));
  const match = look && (await until(look, call, tools, start));
  const values = {
    elapsed: elapsed(tools, start),
    state: String(call.params.state),
    port: numberOf(call.params.port),
    search_regex: textOf(call.params.search_regex),
    path: textOf(call.params.path),
    ...groupsOf(match),
    ...(call.params.path === undefined ? {} : await pathFields(call, tools)),
  };
  // What it waited for has come meanwhile, and more with it: nothing that was asked before holds.
  return { result: result(false, values), forget: true };
};

async function until(look: Look, call: ActionCall, tools: ActionTools, start: number): Promise<Match | undefined> {
  const { params, on, identity } = call;
  for (;;) {
    const block = { script: `${look.script()}\nkp_sep`, records: 1 };
    const records = await tools.sessionOf(on).ask(identity, [block], tools.signal);
    const seen = look.judge(records[0]?.[0] ?? '');
    if (seen.met || tools.stopped()) return seen.match;
    const seconds = elapsed(tools, start);
    if (seconds >= Number(params.timeout)) throw new TaskFailure(late(params), { elapsed: seconds });
    await tools.sleep(Number(params.sleep));
  }
}

const onlyForPorts = ['stopped', 'drained'];

function refuseNonsense({ port, path, state, exclude_hosts: excluded }: ActionCall['params']): void {
  const fail = (message: string): never => {
    throw new TaskFailure(message, { elapsed: 0 });
  };
  if (port !== undefined && path !== undefined) fail('port and path parameter can not both be passed to wait_for');
  if (path !== undefined && onlyForPorts.includes(String(state)))
    fail(`state=${state} should only be used for checking a port in the wait_for module`);
  if (port === undefined && state === 'drained') fail('state=drained needs a port');
  if (excluded !== undefined && state !== 'drained') fail('exclude_hosts should only be with state=drained');
}

function late(params: ActionCall['params']): string {
  const { msg, port, path, host, state, search_regex: regex } = params;
  if (msg) return String(msg);
  const what = port === undefined ? `${path}` : `${host}:${port}`;
  if (state === 'drained') return `Timeout when waiting for ${what} to drain`;
  if (state === 'stopped' || state === 'absent')
    return `Timeout when waiting for ${what} to ${port === undefined ? 'be absent' : 'stop'}.`;
  if (regex !== undefined) return `Timeout when waiting for search string ${regex} in ${what}`;
  return `Timeout when waiting for ${port === undefined ? 'file ' : ''}${what}`;
}

function groupsOf(match: Match | undefined): Record<string, Value> {
  const groups = match?.groups.map((group) => group ?? null) ?? [];
  const named = [...(match?.names ?? [])].map(([name, number]): [Value, Value] => [name, groups[number - 1] ?? null]);
  return { match_groups: groups, match_groupdict: new Map(named) };
}

/** Ansible's fields of a result that names a path. */
async function pathFields(call: ActionCall, { asker }: ActionTools): Promise<Record<string, Value>> {
  const key: FactKey = fileKey(String(call.params.path));
  const [found] = await asker.ask(call.on, [{ identity: call.identity, keys: [key] }]);
  if (found?.answer.state !== 'known') return {};
  return fileFields(key.id, found.answer.value as FileFact);
}

/** Whole seconds, as Ansible tells them. */
function elapsed({ now }: ActionTools, start: number): number {
  return Math.floor((now() - start) / 1000);
}

function numberOf(value: unknown): number | null {
  return value === undefined ? null : Number(value);
}

function textOf(value: unknown): string | null {
  return value === undefined ? null : String(value);
}
