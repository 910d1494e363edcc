import type { TaskEvent } from '../../../src/core/events.ts';

/** A task, or an item of one, as a tool told it. */
export interface Row {
  name: string;
  module: string;
  status: 'ok' | 'changed' | 'skipped' | 'failed' | 'ignored' | 'unreachable' | 'unknown';
  /** Fields of the result that both tools have to agree on. */
  values: Record<string, unknown>;
  /** Of kpush: it says itself that the row may turn out otherwise, since a command before may have changed anything. */
  provisional?: boolean;
}

type Fields = Record<string, unknown>;

interface TheirTask {
  task: { name: string };
  hosts: Record<string, Fields>;
}

export function theirRows({ plays }: { plays: { tasks: TheirTask[] }[] }): Row[] {
  return plays.flatMap(({ tasks }) =>
    tasks.flatMap(({ task, hosts }) => Object.values(hosts).flatMap((fields) => rowsOfTheirs(task.name, fields))),
  );
}

function rowsOfTheirs(name: string, fields: Fields): Row[] {
  const module = String(fields.action ?? '')
    .split('.')
    .pop()!;
  if (module === 'meta') return [];
  const items =
    Array.isArray(fields.results) && 'ansible_loop_var' in ((fields.results[0] ?? {}) as Fields)
      ? (fields.results as Fields[])
      : [fields];
  return items.map((item) => ({ name, module, status: statusOf(item, fields.ignore_errors === true), values: item }));
}

function statusOf(fields: Fields, ignored: boolean): Row['status'] {
  if (fields.unreachable) return 'unreachable';
  if (fields.failed) return ignored || fields.ignore_errors ? 'ignored' : 'failed';
  if (fields.skipped) return 'skipped';
  return fields.changed ? 'changed' : 'ok';
}

export function ourRows(tasks: readonly TaskEvent[]): Row[] {
  return tasks
    .filter(({ module }) => module !== 'meta')
    .flatMap((task) => {
      const rows = task.items?.length && hasResults(task.result) ? task.items : [task];
      // Ansible does not tell in which role a role is included.
      const name = task.role && task.module !== 'include_role' ? `${task.role} : ${task.name}` : task.name;
      return rows.map((row) => ({
        name,
        module: task.module,
        status: ignoredOf(row.status, task.ignored),
        values: fieldsOf(row),
        provisional: task.provisional !== undefined,
      }));
    });
}

/** A loop that ends in the middle says nothing of its items. */
function hasResults(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'results' in result;
}

function ignoredOf(status: TaskEvent['status'], ignored: boolean | undefined): Row['status'] {
  return status === 'failed' && ignored ? 'ignored' : status;
}

function fieldsOf({ result, message }: { result?: unknown; message?: string | undefined }): Fields {
  return { ...(message === undefined ? {} : { msg: message }), ...((result ?? {}) as Fields) };
}
