import { result, TaskFailure } from '../core/result.ts';
import type { Value } from '../jinja/values.ts';
import { getentKey, getentLines } from '../world/getent.ts';
import { defineModule } from './define.ts';

export const getentModule = defineModule({
  name: 'getent',
  doc: {
    summary: 'Looks names up in a name service database',
    examples: '- getent: {database: passwd, key: root}\n- debug: {var: ansible_facts.getent_passwd.root}\n',
    returns: {
      'ansible_facts.getent_passwd': 'the fields of each entry by its first one; of other databases in the same way',
      'ansible_facts.getent_group': 'the same of groups',
    },
  },
  params: {
    database: { type: 'str', operand: true, doc: 'The database', required: true },
    key: { type: 'str', operand: true, doc: 'One entry; default: all' },
    service: { type: 'str', operand: true, doc: 'One source of the database' },
    split: { type: 'str', doc: 'What parts the fields; default: a colon for passwd, group …, else blanks' },
    fail_key: { type: 'bool', doc: 'Fail when there is no such entry', default: true },
  },
  facts: (params) => [getentKey(params)],
  plan(params, world) {
    const { database, key } = params;
    const name = `getent_${database}`;
    const { rc, lines } = getentLines(world, params);
    if (rc === 0) return answer(name, entriesOf(lines, params.split ?? (colons.has(database) ? ':' : undefined)));
    if (rc === 2 && !params.fail_key && key !== undefined) return answer(name, new Map([[key, null]]), messages[2]);
    throw new TaskFailure(messages[rc] ?? 'Unexpected failure!', { rc });
  },
});

const colons = new Set(['passwd', 'shadow', 'group', 'gshadow']);

const messages: Record<number, string> = {
  1: 'Missing arguments, or database unknown.',
  2: 'One or more supplied key could not be found in the database.',
  3: 'Enumeration not supported on this database.',
  127: 'this host has no getent',
};

function answer(name: string, entries: Map<Value, Value>, msg?: string) {
  const facts = new Map<Value, Value>([[name, entries]]);
  return { steps: [], result: result(false, { ansible_facts: facts, ...(msg === undefined ? {} : { msg }) }) };
}

/** Of several lines with one name all are kept, as a list of lists. */
function entriesOf(lines: readonly string[], split: string | undefined): Map<Value, Value> {
  const grouped = new Map<string, string[][]>();
  for (const line of lines) {
    const [name = '', ...fields] = split === undefined ? line.trim().split(/\s+/) : line.split(split);
    grouped.set(name, [...(grouped.get(name) ?? []), fields]);
  }
  return new Map([...grouped].map(([name, rows]) => [name, rows.length === 1 ? rows[0]! : rows]));
}
