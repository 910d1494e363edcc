import type { Block, Task } from '../core/play.ts';
import type { Outcome } from './outcome.ts';
import type { HostState } from './state.ts';

/** Whether the role of the task has run on this host: it is not even told that the task is passed over. */
export function hasRun({ roles }: HostState, { role, handler }: Task): boolean {
  return !handler && role?.once !== undefined && roles?.done.has(role.once) === true;
}

/** A role in which every task was skipped has not run, as in Ansible. */
export function withTask(state: HostState, { role, module }: Task, { status }: Outcome): HostState {
  const passed = status === 'skipped' || status === 'unreachable' || module === 'meta';
  const { had, done } = state.roles ?? none;
  if (passed || role?.once === undefined || had.has(role.once)) return state;
  return { ...state, roles: { had: new Set([...had, role.once]), done } };
}

/** The block's role is over. */
export function withEnd(state: HostState, { ends }: Block): HostState {
  const { had, done } = state.roles ?? none;
  if (ends === undefined || !had.has(ends) || done.has(ends)) return state;
  return { ...state, roles: { had, done: new Set([...done, ends]) } };
}

const none = { had: new Set<string>(), done: new Set<string>() };
