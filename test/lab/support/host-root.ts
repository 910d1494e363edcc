import { runningInit } from '../../lab-kit/host.ts';
import type { Lab } from '../../lab-kit/index.ts';
import { readLab } from '../../lab-kit/store.ts';

/** The host's root directory as the host itself sees it, /run among it. Links at the end of a path lead astray here. */
export function hostRoot(lab: Lab, host: string): string {
  const record = readLab(lab.id)!;
  return `/proc/${runningInit(record, record.hosts.find(({ name }) => name === host)!)}/root`;
}
