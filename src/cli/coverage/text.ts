import type { Style } from '../../report/style.ts';
import type { Blocker, Coverage, Share } from './coverage.ts';

const placesShown = 5;

/** The report for people: what cannot run, where, what to write instead; then the shares. */
export function coverageText({ tasks, units, blockers, unit }: Coverage, style: Style, all: boolean): string {
  const missing = unit.filter(({ covered }) => !covered).map((one) => `  ${one.name}  ${ofTasks(one.tasks)}\n`);
  return [
    ...blockers.map((blocker) => blockerText(blocker, style, all)),
    missing.length ? `\n${style.bold('Not covered as a whole:')}\n${missing.join('')}\n` : '',
    `tasks  ${shareText(tasks)}\n`,
    `roles and playbooks as a whole  ${shareText(units)}\n`,
  ].join('');
}

function blockerText({ kind, name, hint, places }: Blocker, style: Style, all: boolean): string {
  const shown = all ? places : places.slice(0, placesShown);
  const more = places.length - shown.length;
  const lines = [
    `${style.red(kind)} ${style.bold(name)}  ${places.length}×`,
    ...(hint ? [`  ${hint}`] : []),
    ...shown.map(({ file, line }) => `  ${style.dim(`${file}:${line}`)}`),
    ...(more > 0 ? [`  ${style.dim(`… and ${more} more (--all shows them)`)}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function shareText({ covered, total, percent }: Share): string {
  return `${covered} of ${total} (${percent} %)`;
}

function ofTasks({ covered, total }: Share): string {
  return `${covered} of ${total} tasks`;
}
