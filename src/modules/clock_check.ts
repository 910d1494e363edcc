import { result, TaskFailure } from '../core/result.ts';
import { clockSkew, clockSkewKey } from '../world/clock-skew.ts';
import { defineModule } from './define.ts';

export const clockCheckModule = defineModule({
  name: 'clock_check',
  doc: {
    summary: "A host's clock is near the controller's",
    notes: ['Certificates that are issued by a wrong clock are not valid yet, or not any more, elsewhere.'],
    examples: '- clock_check: {max_seconds: 30}\n',
    returns: { skew: 'seconds that it is ahead, about' },
  },
  params: { max_seconds: { type: 'int', doc: 'How far it may be off', default: 30 } },
  facts: () => [clockSkewKey],
  plan({ max_seconds: most }, world) {
    const skew = clockSkew(world);
    const middle = Math.round((skew.least + skew.most) / 2);
    if (skew.least > most || skew.most < -most) throw wrong(middle, most);
    return { steps: [], result: result(false, { skew: middle }) };
  },
});

function wrong(off: number, most: number): TaskFailure {
  const message = `The clock is ${off} s off the controller's; more than ${most} s would make certificates invalid.`;
  return new TaskFailure(message, { skew: off }, 'let chrony or systemd-timesyncd set it');
}
