import type { TaskEvent } from '../../../src/core/events.ts';

/** Texts that a plan would write on a host, by path. */
export function textsOf(tasks: readonly TaskEvent[], host = 'h1'): Map<string, string> {
  const diffs = tasks
    .filter((task) => task.host === host)
    .flatMap(({ steps }) => steps.flatMap(({ diff }) => diff ?? []));
  return new Map(
    diffs.flatMap((diff) => (diff.kind === 'text' && diff.after !== null ? [[diff.path, diff.after]] : [])),
  );
}

/** Units among them, by name. */
export function unitsOf(tasks: readonly TaskEvent[], host = 'h1'): Map<string, string> {
  const units = [...textsOf(tasks, host)].filter(([path]) => /^\/etc\/systemd\/system\/[^/]+$/.test(path));
  return new Map(units.map(([path, text]) => [path.slice(path.lastIndexOf('/') + 1), text]));
}

/** The values of a directive in a unit's text, each word by itself. */
export function words(unit: string, directive: string): string[] {
  const lines = unit.split('\n').filter((line) => line.startsWith(`${directive}=`));
  return lines.flatMap((line) =>
    line
      .slice(directive.length + 1)
      .split(' ')
      .filter(Boolean),
  );
}

/**
 * A chain of units each of which waits for the next and the last for the first, or undefined. Targets wait for what
 * they want unless it says otherwise, as systemd has it.
 */
export function cycleIn(units: ReadonlyMap<string, string>): string[] | undefined {
  const after = new Map([...units].map(([name, text]) => [name, new Set(words(text, 'After'))]));
  for (const [name, text] of units) {
    for (const later of words(text, 'Before')) after.get(later)?.add(name);
    for (const target of [...words(text, 'WantedBy'), ...words(text, 'RequiredBy')])
      if (target.endsWith('.target') && !words(text, 'After').includes(target)) after.get(target)?.add(name);
  }
  const done = new Set<string>();
  const walk = (name: string, path: string[]): string[] | undefined => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (done.has(name)) return undefined;
    for (const earlier of after.get(name) ?? []) {
      const found = after.has(earlier) ? walk(earlier, [...path, name]) : undefined;
      if (found) return found;
    }
    done.add(name);
    return undefined;
  };
  for (const name of after.keys()) {
    const found = walk(name, []);
    if (found) return found;
  }
  return undefined;
}
