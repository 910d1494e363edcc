import { at } from '../core/origin.ts';
import { hostList, hostsOf } from './host-list.ts';
import type { PlanGate, PlanModel, PlanWave } from './plan-fold.ts';
import { type PageOptions, taskLines } from './plan-task.ts';
import { sanitize } from './sanitize.ts';
import type { Style } from './style.ts';
import { totalsText } from './totals.ts';
import { count } from './wording.ts';
import { wrapLines } from './wrap.ts';

/** A plan as a page to review: ends with a newline. */
export function planPage(model: PlanModel, options: PageOptions): string {
  const { style, columns } = options;
  const fit = (lines: string[]) => wrapLines(lines, columns);
  const sections = [
    fit(headLines(model, style)),
    fit(probeLines(model, style)),
    fit(warningLines(model, style)),
    ...model.waves.map((wave) => waveLines(wave, options)),
    fit(alwaysLines(model, style)),
    fit(lostLines(model, style)),
    fit([style.bold(totalsText(model.totals))]),
  ];
  const shown = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${shown.join('\n\n')}\n`;
}

function headLines(model: PlanModel, style: Style): string[] {
  const where = model.inventory.length ? ` (${model.inventory.join(', ')})` : '';
  return [style.bold(sanitize(`Plan of ${model.playbook} on ${count(model.hosts.length, 'host')}${where}`))];
}

function probeLines({ probes, hosts }: PlanModel, style: Style): string[] {
  if (probes.length === 0) return [];
  const lines = probes.map(
    ({ origin, command, hosts: on }) =>
      `  ${at(origin)}  ${hostsOf(on, hosts)}  ${sanitize(command).replaceAll('\n', '\\n')}`,
  );
  return [`Commands of yours that ran to decide (none with --no-probes):`, ...lines.map(style.dim)];
}

function warningLines({ warnings, hosts }: PlanModel, style: Style): string[] {
  return warnings.map(({ message, origin, hosts: on }) => {
    const place = [origin ? at(origin) : '', on.length ? hostsOf(on, hosts) : ''].filter((text) => text !== '');
    return `${style.yellow('warning:')} ${sanitize(message)}${place.length ? style.dim(`  ${place.join('  ')}`) : ''}`;
  });
}

function waveLines(wave: PlanWave, options: PageOptions): string[] {
  const { style, columns } = options;
  const head = `Wave ${wave.wave} of ${wave.waves}  ${sanitize(wave.name)}`;
  const top = [`${style.bold(head)}${style.dim(`  ${at(wave.origin)}`)}`, style.dim(`  ${scheduleText(wave)}`)];
  return [
    ...wrapLines(top, columns),
    ...wave.tasks.flatMap((task) => taskLines(task, wave.hosts, options)),
    ...wrapLines([...gateLines(wave, style), ...unchangedLines(wave, style)], columns),
  ];
}

/** Who, in which order, and where it ends: `3 hosts, h[1:3]; in batches h1 | h[2:3]; stops at the 2nd failed host`. */
function scheduleText(wave: PlanWave): string {
  const names = wave.hosts.length > 0 ? `, ${hostList(wave.hosts)}` : '';
  const batches = wave.batches.map((batch) => hostList(batch, 3));
  const more = batches.length > 8 ? ` | ${batches.length - 7} more batches` : '';
  const shown = more ? batches.slice(0, 7) : batches;
  return [
    `${count(wave.hosts.length, 'host')}${names}`,
    wave.batches.length > 1 ? `in batches ${shown.join(' | ')}${more}` : '',
    wave.stopsAt === undefined ? '' : `the run stops at the ${ordinal(wave.stopsAt)} failed host`,
  ]
    .filter((part) => part !== '')
    .join('; ');
}

function gateLines(wave: PlanWave, style: Style): string[] {
  return wave.gates.map((gate) => {
    const asked = asksItself(gate) ? '' : `, asked from ${hostsOf(gate.from, wave.hosts)}`;
    const text = `gate ${sanitize(gate.name)}: nothing goes on before it passes on ${hostsOf(gate.hosts, wave.hosts)}${asked}`;
    return `  ${style.magenta(style.sign.gate)} ${text}${style.dim(`  ${at(gate.origin)}`)}`;
  });
}

function asksItself(gate: PlanGate): boolean {
  return gate.from.length === gate.hosts.length && gate.from.every((host) => gate.hosts.includes(host));
}

function unchangedLines(wave: PlanWave, style: Style): string[] {
  if (wave.hosts.length === 0 || wave.unchanged.length === 0) return [];
  return [style.dim(`  ${style.sign.ok} nothing to change on ${hostsOf(wave.unchanged, wave.hosts)}`)];
}

function alwaysLines(model: PlanModel, style: Style): string[] {
  const tasks = model.waves.flatMap((wave) => wave.tasks.filter((task) => task.groups.some((group) => group.always)));
  if (tasks.length === 0) return [];
  const lines = tasks.map(({ name, module, origin, groups }) => {
    const hosts = groups.filter((group) => group.always).flatMap((group) => group.hosts);
    return style.dim(`  ${sanitize(name || module)}  ${hostsOf(hosts, model.hosts)}  ${at(origin)}`);
  });
  return ['Always run, with no lasting effect to compare:', ...lines];
}

function lostLines(model: PlanModel, style: Style): string[] {
  return model.lost.map(({ host, kind, message, hint }) => {
    const text = `${style.red(`${style.sign.failed} ${host}`)}  ${kind}: ${sanitize(message)}`;
    return hint ? `${text}\n    try: ${sanitize(hint)}` : text;
  });
}

function ordinal(n: number): string {
  const tens = n % 100;
  const suffix = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${n}${suffix}`;
}
