import type { FactKey } from '../core/facts.ts';
import type { ModuleContext, WorldView } from '../core/module.ts';
import { result, TaskFailure } from '../core/result.ts';
import type { Step } from '../core/steps.ts';
import { file, fileKey } from '../world/file.ts';
import { defineModule } from './define.ts';
import { type EditParams, editKeys, openText, saveText } from './lib/edit.ts';
import { link } from './lib/file-link.ts';
import { followed } from './lib/links.ts';
import { keysOrNone } from './lib/source.ts';

const localtime = '/etc/localtime';
const timezone = { path: '/etc/timezone', backup: false, unsafe_writes: false } as EditParams;

export const timezoneModule = defineModule({
  name: 'timezone',
  doc: {
    summary: 'Sets the time zone of a host',
    notes: [
      'The link /etc/localtime, and the name in /etc/timezone where there is that file, as on Debian.',
      'What is running keeps the old zone until it is restarted, cron among it.',
    ],
    examples: '- timezone: {name: Europe/Berlin}\n',
  },
  params: {
    name: { type: 'str', doc: 'The zone, a path below /usr/share/zoneinfo' },
    hwclock: { type: 'str', doc: 'Accepted, and refused: not supported', choices: ['local', 'UTC'], aliases: ['rtc'] },
  },
  rules: { oneOf: [['name', 'hwclock']] },
  facts: ({ name }, ctx) => keysOrNone(() => keysOf(zoneFile(name), ctx)),
  plan({ name, hwclock }, world, ctx) {
    if (hwclock !== undefined) throw clockRefused(hwclock);
    const zone = zoneFile(name);
    const { fact } = followed(world, zone);
    if (!fact.exists || fact.kind !== 'file') throw unknownZone(name, `the host has no file ${zone}`);
    const steps = [...linkSteps(zone, world, ctx), ...nameSteps(`${name}\n`, world, ctx)];
    return { steps, result: result(steps.length > 0) };
  },
});

function keysOf(zone: string, ctx: ModuleContext): FactKey[] {
  return [fileKey(zone), fileKey(localtime), ...editKeys(timezone, ctx)];
}

/** Names with dots lead elsewhere or to tables that are no zones (zone.tab, tzdata.zi). */
function zoneFile(name = ''): string {
  if (!/^[\w+-]+(\/[\w+-]+)*$/.test(name)) throw unknownZone(name, 'zones have names such as Europe/Berlin');
  return `/usr/share/zoneinfo/${name}`;
}

function unknownZone(name: string | undefined, why: string): TaskFailure {
  const hint = 'timedatectl list-timezones shows them; they come with the package tzdata';
  return new TaskFailure(`given timezone "${name}" is not available: ${why}`, {}, hint);
}

function clockRefused(hwclock: string): TaskFailure {
  const command = `timedatectl set-local-rtc ${hwclock === 'UTC' ? 0 : 1}`;
  const hint = `leave hwclock out to set the zone alone; ${command} sets the hardware clock`;
  return new TaskFailure('hwclock is not supported: kpush leaves the hardware clock alone', {}, hint);
}

/** tzdata writes the link with a whole path, timedatectl with a relative one: both are right as they are. */
function linkSteps(zone: string, world: WorldView, ctx: ModuleContext): Step[] {
  const fact = file(world, localtime);
  if (fact.exists && fact.kind === 'link' && (fact.target === zone || fact.target === `..${zone}`)) return [];
  const given = { path: localtime, src: zone, force: true, follow: false, recurse: false };
  return link(given, world, ctx).steps.map(withClock);
}

/** Facts about the host's clock are told in its zone. */
function withClock(step: Step): Step {
  const why = 'the time zone is changed';
  return { ...step, effects: [...step.effects, { type: 'fact.unknown', family: 'base', id: 'facts', why }] };
}

function nameSteps(text: string, world: WorldView, ctx: ModuleContext): Step[] {
  const opened = openText(timezone, world, ctx);
  if (opened.text === undefined || opened.text.trim() === text.trim()) return [];
  return saveText(opened, text, timezone, world, ctx).steps;
}
