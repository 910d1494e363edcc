import type { EventBody, ListedPlay } from '../core/events.ts';
import type { Display } from './display.ts';
import { sanitizeLine } from './sanitize.ts';

type Listing = Extract<EventBody, { type: 'listing' }>;

/** Prints listings alone; warnings are no part of them. */
export function createListingDisplay(out: (text: string) => void): Display {
  return {
    add: (event) => {
      if (event.type === 'listing') out(listingText(event));
    },
    end: () => {},
  };
}

/** `--list-hosts`, `--list-tasks`, `--list-tags`, laid out as ansible-playbook does. */
export function listingText(listing: Listing): string {
  const plays = listing.plays.flatMap((play, i) => ['', `  ${headOf(play, i + 1)}`, ...bodies[listing.list](play)]);
  return `\nplaybook: ${listing.playbook}\n${plays.join('\n')}\n`;
}

const bodies: Record<Listing['list'], (play: ListedPlay) => string[]> = {
  hosts: ({ pattern, hosts }) => [
    `    pattern: ['${pattern}']`,
    `    hosts (${hosts.length}):`,
    ...hosts.map((host) => `      ${host}`),
  ],
  tasks: ({ tasks }) => [
    '    tasks:',
    ...tasks.map(
      ({ name, role, tags }) => `      ${sanitizeLine(role ? `${role} : ${name}` : name)}\tTAGS: [${tags.join(', ')}]`,
    ),
  ],
  tags: ({ tasks, tags }) => {
    const all = [...new Set([...tags, ...tasks.flatMap((task) => task.tags)])].sort();
    return [`      TASK TAGS: [${all.join(', ')}]`];
  },
};

function headOf({ name, pattern, tags }: ListedPlay, n: number): string {
  return `play #${n} (${pattern}): ${sanitizeLine(name)}\tTAGS: [${tags.join(', ')}]`;
}
