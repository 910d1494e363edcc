import type { Verdict } from '../core/gate.ts';
import type { WorldView } from '../core/module.ts';
import { quoteAll } from '../core/quote.ts';
import { type Probe, probe } from '../world/probe.ts';

/**
 * One look by kube-wait, the script that the waiting units run: gate and boot go by the same judgement. With no time
 * to wait it says why it would, and exits 1; 3 means that waiting would not help.
 */
export function look(binDir: string, words: string[], timeout: number): Probe {
  return { command: `${quoteAll([`${binDir}/kube-wait`, ...words, '0', '0'])} 2>&1`, timeout: Math.max(1, timeout) };
}

export function judgeLook(world: WorldView, query: Probe): Verdict {
  const { rc, stdout } = probe(world, query);
  if (rc === 0) return { verdict: 'pass' };
  const lines = stdout.trim().split('\n');
  const said = (lines.at(-1) ?? '').replace(/^kube-wait: /, '').replace(/^gave up after \d+ s: /, '');
  if (rc === 124) return { verdict: 'wait', reason: 'it takes too long to ask' };
  if (rc === 1) return { verdict: 'wait', reason: said };
  return { verdict: 'fail', reason: said || `kube-wait ended with ${rc}` };
}
