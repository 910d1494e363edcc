import type { Unknown, Value } from '../jinja/values.ts';

/** True, false, or known after something else. */
export type Tri = boolean | Unknown;

/** Ansible's result of a task, field by field known or unknown. `values` holds every field but the named ones. */
export interface Result {
  changed: Tri;
  failed?: Tri;
  skipped?: Tri;
  unreachable?: boolean;
  values: ReadonlyMap<string, Value>;
}

export function result(changed: Tri, values: Record<string, Value> = {}): Result {
  return { changed, values: new Map(Object.entries(values)) };
}

/** A module's own word that its task fails: bad state on the host, a refused request. Never used for bugs. */
export class TaskFailure extends Error {
  readonly values: Record<string, Value>;
  readonly hint: string | undefined;

  constructor(message: string, values: Record<string, Value> = {}, hint?: string) {
    super(message);
    this.name = 'TaskFailure';
    this.values = values;
    this.hint = hint;
  }
}
