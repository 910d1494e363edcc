import type { RunEvent } from '../core/events.ts';

/**
 * Several playbooks run one after another as one run; ids of plays and tasks are unique in a playbook only. From the
 * second on they get its number, so that whoever folds the events cannot mix them up.
 */
export function distinctPlaybooks(): (event: RunEvent) => RunEvent {
  let nth = 0;
  return (event) => {
    if (event.type === 'run-start') nth++;
    if (nth < 2) return event;
    const mark = (id: string) => `${id}@${nth}`;
    if (event.type === 'run-start')
      return { ...event, plays: event.plays?.map((play) => ({ ...play, play: mark(play.play) })) };
    const marked = { ...event } as RunEvent & { play?: string; task?: string };
    if (marked.play !== undefined) marked.play = mark(marked.play);
    if (marked.task !== undefined) marked.task = mark(marked.task);
    return marked as RunEvent;
  };
}
