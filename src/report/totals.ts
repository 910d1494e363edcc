import type { RunEvent } from '../core/events.ts';
import type { Fold } from './fold.ts';
import { count } from './wording.ts';

/** A plan in figures: tasks on hosts, a loop being one task. */
export interface Totals {
  change: number;
  /** Hosts with something to change. */
  hosts: number;
  unknown: number;
  always: number;
  fail: number;
  unreachable: number;
}

/** Totals of the plan: of the whole run, or of what was told before an apply asked. */
export function planTotals(): Fold<Totals> {
  const totals = { change: 0, unknown: 0, always: 0, fail: 0 };
  const touched = new Set<string>();
  const lost = new Set<string>();
  let over = false;
  return {
    add: (event) => {
      if (event.type === 'phase') over = event.phase !== 'plan';
      if (!over) add(event, totals, touched, lost);
    },
    value: () => ({ ...totals, hosts: touched.size, unreachable: lost.size }),
  };
}

/** "12 to change on 3 hosts, 2 unknown, 1 always"; "nothing to change" only of what was planned to its end. */
export function totalsText(totals: Totals): string {
  const parts = [
    changeText(totals),
    totals.unknown > 0 ? `${totals.unknown} unknown` : '',
    totals.always > 0 ? `${totals.always} always` : '',
    totals.fail > 0 ? `${totals.fail} would fail` : '',
    totals.unreachable > 0 ? `${count(totals.unreachable, 'host')} unreachable` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** What failed, or was not reached, may have had more to change. */
function changeText({ change, hosts, fail, unreachable }: Totals): string {
  if (change > 0) return `${change} to change on ${count(hosts, 'host')}`;
  return fail > 0 || unreachable > 0 ? '' : 'nothing to change';
}

type Figures = Pick<Totals, 'change' | 'unknown' | 'always' | 'fail'>;

function add(event: RunEvent, totals: Figures, touched: Set<string>, lost: Set<string>) {
  if (event.type === 'host-lost') lost.add(event.host);
  if (event.type !== 'task') return;
  if (event.status === 'unreachable') lost.add(event.host);
  if (event.status === 'failed' && !event.ignored && !event.rescued) totals.fail++;
  if (event.status === 'unknown') totals.unknown++;
  if (event.always) totals.always++;
  else if (event.status === 'changed') {
    totals.change++;
    touched.add(event.host);
  }
}
