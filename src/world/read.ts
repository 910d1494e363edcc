import type { Answer, Wants } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { TaskFailure } from '../core/result.ts';

/** Thrown when a module reads what is only known after an earlier task; the planner shows it as unknown. */
export class UnknownRead extends Error {
  readonly why: string;
  constructor(why: string) {
    super(why);
    this.name = 'UnknownRead';
    this.why = why;
  }
}

/** The known value of a fact; denied facts fail the task, unknown ones make it unknown. */
export function readKnown<T>(world: WorldView, family: string, id: string, wants?: Wants): T {
  const answer = world.read(family, id, wants);
  if (answer.state === 'unknown') throw new UnknownRead(answer.why);
  if (answer.state === 'denied') throw denied(answer);
  return answer.value as T;
}

function denied(answer: Extract<Answer, { state: 'denied' }>): TaskFailure {
  return new TaskFailure(`cannot look at ${answer.path}: permission denied`, {}, 'this task needs become: true');
}
