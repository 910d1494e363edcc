import type { ActionSpec } from '../core/action.ts';
import { result } from '../core/result.ts';
import type { Value } from '../jinja/values.ts';

export const waitForAction: ActionSpec = {
  name: 'wait_for',
  doc: {
    summary: 'Wait for a port, a file or a text in a file, seen from the host.',
    notes: ['A plan assumes that what is waited for comes.'],
    examples: '- wait_for:\n    port: 6443\n    timeout: 60\n',
    returns: { elapsed: 'Seconds it took.', state: 'What was waited for.' },
  },
  params: {
    host: { type: 'str', operand: true, default: '127.0.0.1', doc: 'Address to connect to.' },
    port: { type: 'int', doc: 'TCP port; excludes `path`.' },
    path: { type: 'path', doc: 'A file; excludes `port`.' },
    search_regex: { type: 'str', doc: 'Text that the file (or what the port sends first) must match.' },
    state: {
      type: 'str',
      default: 'started',
      choices: ['absent', 'drained', 'present', 'started', 'stopped'],
      doc: 'started or present: it is there; stopped or absent: it is not.',
    },
    timeout: { type: 'int', default: 300, doc: 'Seconds until it must be so.' },
    connect_timeout: { type: 'int', default: 5, doc: 'Seconds for one try.' },
    delay: { type: 'int', default: 0, doc: 'Seconds before the first look.' },
    sleep: { type: 'int', default: 1, doc: 'Seconds between looks.' },
    msg: { type: 'str', doc: 'Said instead of the usual text when time is up.' },
    exclude_hosts: { type: 'list', elements: 'str', doc: 'Accepted for compatibility.' },
    active_connection_states: { type: 'list', elements: 'str', doc: 'Accepted for compatibility.' },
  },
  awaits: ({ path, state }) =>
    typeof path === 'string' && path.startsWith('/') && state !== 'absent' && state !== 'stopped' ? path : undefined,
  predict: (params) =>
    result(false, {
      ...{ elapsed: 0, state: String(params.state ?? 'started') },
      ...{
        port: typeof params.port === 'number' ? params.port : null,
        path: text(params.path),
        search_regex: text(params.search_regex),
      },
      ...{ match_groups: [], match_groupdict: new Map<Value, Value>() },
    }),
};

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
