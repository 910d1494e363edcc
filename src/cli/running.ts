import type { RunEvent } from '../core/events.ts';

export interface RunningStep {
  host: string;
  title: string;
}

/** Which steps run on which hosts right now. */
export function runningSteps() {
  const steps = new Map<string, RunningStep>();
  return {
    add: (event: RunEvent) => {
      if (event.type === 'step-start')
        steps.set(`${event.host}\n${event.key}`, { host: event.host, title: event.title });
      if (event.type === 'step-end') steps.delete(`${event.host}\n${event.key}`);
      if (event.type === 'host-lost')
        for (const id of steps.keys()) if (id.startsWith(`${event.host}\n`)) steps.delete(id);
    },
    list: (): RunningStep[] => [...steps.values()],
  };
}

/** Said when kpush leaves without waiting. */
export function leavingText(running: readonly RunningStep[]): string {
  if (running.length === 0) return 'kpush: left at once; no step was running\n';
  const lines = running.map(({ host, title }) => `  ${host}: ${title}\n`).join('');
  return `kpush: left at once; these steps were running, the hosts end them when they notice:\n${lines}`;
}
