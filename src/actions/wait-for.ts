import type { ActionSpec } from '../core/action.ts';
import { result } from '../core/result.ts';
import { Unknown, type Value } from '../jinja/values.ts';

export const waitForAction: ActionSpec = {
  name: 'wait_for',
  doc: {
    summary: 'Wait for a port, a file or a text, seen from the host; without a port or a path, for the time itself.',
    notes: ['A plan assumes that what is waited for comes.', 'Of a file the last 8 MiB are searched.'],
    examples: '- wait_for:\n    port: 6443\n    timeout: 60\n',
    returns: {
      elapsed: 'Seconds it took.',
      state: 'What was waited for; with a path, what that is.',
      match_groups: 'Groups of search_regex.',
      match_groupdict: 'Those with names.',
    },
  },
  params: {
    host: { type: 'str', operand: true, default: '127.0.0.1', doc: 'Address to connect to.' },
    port: { type: 'int', doc: 'TCP port; excludes `path`.' },
    path: { type: 'path', doc: 'A file; excludes `port`.' },
    search_regex: { type: 'str', doc: 'What must stand in the file, or in what the port sends first.' },
    state: {
      type: 'str',
      default: 'started',
      choices: ['absent', 'drained', 'present', 'started', 'stopped'],
      doc: 'started or present: it is there; stopped or absent: it is not; drained: the port has no connection.',
    },
    timeout: { type: 'int', default: 300, doc: 'Seconds until it must be so.' },
    connect_timeout: { type: 'int', default: 5, doc: 'Seconds for one try.' },
    delay: { type: 'int', default: 0, doc: 'Seconds before the first look.' },
    sleep: { type: 'int', default: 1, doc: 'Seconds between looks.' },
    msg: { type: 'str', doc: 'Said instead of the usual text when time is up.' },
    exclude_hosts: { type: 'list', elements: 'str', doc: 'drained: whose connections do not count.' },
    active_connection_states: {
      type: 'list',
      elements: 'str',
      doc: 'drained: which states count, such as ESTABLISHED; default: all but those of a port that listens or is closed.',
    },
  },
  awaits: ({ path, state }) =>
    typeof path === 'string' && path.startsWith('/') && state !== 'absent' && state !== 'stopped' ? path : undefined,
  predict: (params) => result(false, { elapsed: 0, ...asked(params), ...matched(params), ...found(params) }),
};

function asked({ state = 'started', port, path, search_regex: regex }: Record<string, unknown>): Record<string, Value> {
  const known = { state: String(state), port: typeof port === 'number' ? port : null };
  return { ...known, path: text(path), search_regex: text(regex) };
}

function matched({ search_regex: regex }: Record<string, unknown>): Record<string, Value> {
  if (regex !== undefined) return { match_groups: later('the match'), match_groupdict: later('the match') };
  return { match_groups: [], match_groupdict: new Map<Value, Value>() };
}

/** Ansible's fields of a result that names a path. */
function found({ path, state }: Record<string, unknown>): Record<string, Value> {
  if (path === undefined) return {};
  if (state === 'absent') return { state };
  const names = ['uid', 'gid', 'owner', 'group', 'mode', 'size', 'state'];
  return Object.fromEntries(names.map((name) => [name, later(`what comes at ${path}`)]));
}

function later(what: string): Unknown {
  return new Unknown(what);
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
