import type { ActionSpec } from '../core/action.ts';
import { addHostAction } from './add-host.ts';
import { fetchAction } from './fetch.ts';
import { gateAction } from './gate.ts';
import { groupByAction } from './group-by.ts';
import { pauseAction } from './pause.ts';
import { rebootAction } from './reboot.ts';
import { reprovisionAction } from './reprovision.ts';
import { waitForAction } from './wait-for.ts';
import { waitForConnectionAction } from './wait-for-connection.ts';

/** What no pure module can be: time passes, the connection goes, a file comes here. One line each. */
export const actions: readonly ActionSpec[] = [
  addHostAction,
  fetchAction,
  gateAction,
  groupByAction,
  pauseAction,
  rebootAction,
  reprovisionAction,
  waitForAction,
  waitForConnectionAction,
];

const byName = new Map(actions.map((action) => [action.name, action]));

export function findAction(name: string): ActionSpec | undefined {
  return byName.get(name);
}
