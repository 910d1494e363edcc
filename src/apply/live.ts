import type { LiveOutput } from '../core/session.ts';
import type { Emit } from '../plan/driver.ts';
import type { TripPlan } from './trips.ts';

/** Step frames as they arrive, as events; nothing of a no_log step's output is told. */
export function liveEvents(host: string, trip: TripPlan, emit: Emit): LiveOutput {
  const steps = new Map(trip.steps.map((step) => [step.first.key, step]));
  const starts = new Map<string, number>();
  return {
    begin: (key) => {
      starts.set(key, Date.now());
      for (const step of steps.get(key)?.planned ?? []) {
        const { task, seq, title, noLog } = step;
        emit({
          type: 'step-start',
          host,
          key: step.key,
          seq,
          task: task.id,
          name: task.name,
          title: noLog ? '(no_log)' : title,
        });
      }
    },
    output: (key, stream, text) => {
      if (!steps.get(key)?.first.noLog) emit({ type: 'step-output', host, key, stream, text });
    },
    end: (key, rc) => {
      const ms = Date.now() - (starts.get(key) ?? Date.now());
      for (const step of steps.get(key)?.planned ?? [])
        emit({ type: 'step-end', host, key: step.key, status: rc === 0 ? 'ok' : 'failed', rc, ms });
    },
  };
}
