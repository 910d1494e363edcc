import type { ActionCall } from '../../core/needs.ts';
import { quote } from '../../core/quote.ts';
import { result, TaskFailure } from '../../core/result.ts';
import type { Value } from '../../jinja/values.ts';
import type { ActionRun, ActionTools } from '../actions.ts';

export const waitFor: ActionRun = async (call, tools) => {
  const { params } = call;
  if ((params.port === undefined) === (params.path === undefined))
    throw new TaskFailure('wait_for takes either a port or a path');
  const start = tools.now();
  await tools.sleep(Number(params.delay));
  const there = params.state === 'started' || params.state === 'present';
  while (!(await seen(call, tools, there))) {
    const elapsed = (tools.now() - start) / 1000;
    if (elapsed > Number(params.timeout)) throw new TaskFailure(late(call, elapsed), { elapsed: Math.round(elapsed) });
    if (tools.stopped()) break;
    await tools.sleep(Number(params.sleep));
  }
  const elapsed = Math.round((tools.now() - start) / 1000);
  const found = { port: portOf(call), path: params.path === undefined ? null : pathOf(call) };
  const search = { search_regex: params.search_regex === undefined ? null : String(params.search_regex) };
  const groups = { match_groups: [], match_groupdict: new Map<Value, Value>() };
  // What it waited for has come meanwhile, and more with it: nothing that was asked before holds.
  return {
    result: result(false, { elapsed, state: String(params.state), ...found, ...search, ...groups }),
    forget: true,
  };
};

function late(call: ActionCall, elapsed: number): string {
  const { params } = call;
  if (params.msg) return String(params.msg);
  const what = params.port === undefined ? pathOf(call) : `${params.host}:${params.port}`;
  return `Timeout when waiting for ${what} (${Math.round(elapsed)} s)`;
}

async function seen(call: ActionCall, { sessionOf, signal }: ActionTools, there: boolean): Promise<boolean> {
  const { params, on, identity } = call;
  const test = params.port === undefined ? pathTest(call) : portTest(call);
  const block = { script: `if ${test}; then printf y; else printf n; fi; kp_sep`, records: 1 };
  const records = await sessionOf(on).ask(identity, [block], signal);
  return (records[0]?.[0] === 'y') === (params.path !== undefined && params.search_regex !== undefined ? true : there);
}

function pathTest({ params }: ActionCall): string {
  const path = quote(String(params.path));
  return params.search_regex === undefined
    ? `[ -e ${path} ]`
    : `grep -Eq -- ${quote(String(params.search_regex))} ${path} 2>/dev/null`;
}

/** bash's /dev/tcp, nc or curl, whichever is there: plain sh cannot open a connection. */
function portTest({ params }: ActionCall): string {
  const [host, port, wait] = [String(params.host), Number(params.port), Number(params.connect_timeout)];
  const bash = `timeout ${wait} bash -c ': <"/dev/tcp/$1/$2"' - ${quote(host)} ${port}`;
  return `{ if command -v bash >/dev/null; then ${bash}; elif command -v nc >/dev/null; then nc -z -w ${wait} ${quote(host)} ${port}; else curl -s --connect-timeout ${wait} telnet://${quote(host)}:${port} </dev/null; fi; } >/dev/null 2>&1`;
}

function portOf({ params }: ActionCall): number | null {
  return params.port === undefined ? null : Number(params.port);
}

function pathOf({ params }: ActionCall): string {
  return String(params.path ?? '');
}
