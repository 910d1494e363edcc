import type { Session } from '../core/session.ts';
import type { ApplyTools } from './apply-driver.ts';
import type { TripPlan } from './trips.ts';

/** Big contents go ahead of the trip that puts them in place, by content address. */
export async function stageBlobs(session: Session, trip: TripPlan, tools: ApplyTools): Promise<void> {
  for (const { first } of trip.steps) {
    if (first.run.kind !== 'put' || first.run.content.kind !== 'blob') continue;
    const { path: source, sha256, size } = first.run.content;
    const blob = { source, sha256, size, path: blobPath(sha256) };
    await tools.slot(() => session.stage(trip.identity, blob, () => {}, tools.close));
  }
}

/** Where a blob waits on the host, in the store of the user it was sent as. */
export function blobPath(sha256: string): string {
  return `sha256-${sha256}`;
}
