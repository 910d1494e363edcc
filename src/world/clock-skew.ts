import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { readKnown } from './read.ts';

/** How far the host's clock is ahead of the controller's, in seconds: not less than one and not more than the other. */
export interface ClockSkew {
  least: number;
  most: number;
}

export const clockSkewKey: FactKey = { family: 'clock-skew', id: 'now' };

export function clockSkew(world: WorldView): ClockSkew {
  return readKnown<ClockSkew>(world, clockSkewKey.family, clockSkewKey.id);
}

/**
 * The controller looks at its own clock as it asks and as it is answered, so that a slow link is not taken for a slow
 * clock. Always the real one: that of a run may be the time of a saved plan.
 */
export const clockSkewFamily: FactFamily<ClockSkew> = {
  name: 'clock-skew',
  guarded: false,
  script: (keys) => keys.map(() => `printf '%s %s' ${seconds()} "$(date +%s)"; kp_sep`).join('\n'),
  parse(record) {
    const [asked, host] = record.split(' ').map(Number);
    if (!Number.isInteger(asked) || !Number.isInteger(host)) throw new Error(`unreadable time: ${record.slice(0, 40)}`);
    return { state: 'known', raw: record, value: { least: host! - seconds() - 1, most: host! - asked! + 1 } };
  },
};

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
