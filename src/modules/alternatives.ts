import type { Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { result, TaskFailure } from '../core/result.ts';
import type { Step } from '../core/steps.ts';
import { fileKey } from '../world/file.ts';
import { type ToolFact, type ToolQuery, tool, toolKey } from '../world/tool.ts';
import { defineModule } from './define.ts';
import { followed } from './lib/links.ts';
import { completeTold, oneStep } from './lib/one-step.ts';

const params = {
  name: { type: 'str', operand: true, doc: 'The generic name', required: true },
  path: { type: 'path', doc: 'The program it shall stand for', required: true },
  link: { type: 'path', doc: 'The link, where the group is new' },
  priority: { type: 'int', doc: 'Its priority; of one that is new in the group 50 unless given' },
  state: {
    type: 'str',
    doc: 'selected: it is chosen; present: it is in the group; auto: that, and the highest priority is chosen; absent',
    choices: ['selected', 'present', 'auto', 'absent'],
    default: 'selected',
  },
} as const satisfies ParamSpecs;

type AlternativesParams = Params<typeof params>;

export const alternativesModule = defineModule({
  name: 'alternatives',
  doc: {
    summary: 'Chooses the program behind a generic name, as update-alternatives does',
    notes: ['A group that is not there yet is made, and needs `link`.'],
    examples: '- alternatives: {name: iptables, path: /usr/sbin/iptables-legacy}\n',
  },
  params,
  facts: ({ name, path }) => [toolKey(query(name)), fileKey(path)],
  plan: (given, world) => planAlternatives(given, world),
  complete: (_params, predicted, outcomes) => completeTold(predicted, outcomes),
});

interface Group {
  link?: string | undefined;
  mode?: string | undefined;
  value?: string | undefined;
  priorities: ReadonlyMap<string, number>;
}

function planAlternatives(given: AlternativesParams, world: WorldView): Plan {
  const fact = tool(world, query(given.name));
  if (fact.rc === 127) throw new TaskFailure('this host has no update-alternatives');
  const group = groupOf(fact);
  const found =
    given.state === 'absent' ? removal(given, group) : [...addition(given, group, world), ...choice(given, group)];
  const msg = found.map(({ said }) => said).join(' ');
  return { steps: found.map(({ step }) => step), result: result(found.length > 0, { msg }) };
}

interface Said {
  said: string;
  step: Step;
}

function addition(given: AlternativesParams, group: Group, world: WorldView): Said[] {
  const { name, path, priority } = given;
  const known = group.priorities.get(path);
  if (known !== undefined && (priority === undefined || priority === known)) return [];
  if (!followed(world, path).fact.exists) throw new TaskFailure(`Specified path ${path} does not exist`);
  const link = given.link ?? group.link;
  if (link === undefined)
    throw new TaskFailure('Needed to install the alternative, but unable to do so as we are missing the link');
  const argv = ['update-alternatives', '--install', link, name, path, String(priority ?? known ?? 50)];
  const title = `add ${path} to the alternatives of ${name}`;
  return [{ said: `Install alternative '${path}' for '${name}'.`, step: step(given, title, argv, 'program', null) }];
}

function choice(given: AlternativesParams, { value, mode }: Group): Said[] {
  const { name, path, state } = given;
  if (state === 'selected' && value !== path) {
    const argv = ['update-alternatives', '--set', name, path];
    const chosen = step(given, `choose ${path} for ${name}`, argv, 'chosen', value);
    return [{ said: `Set alternative '${path}' for '${name}'.`, step: chosen }];
  }
  if (state !== 'auto' || mode !== 'manual') return [];
  const argv = ['update-alternatives', '--auto', name];
  const automatic = step(given, `choose the best ${name}`, argv, 'mode', mode, 'auto');
  return [{ said: `Set alternative to auto for '${name}'.`, step: automatic }];
}

function removal(given: AlternativesParams, group: Group): Said[] {
  const { name, path } = given;
  if (!group.priorities.has(path)) return [];
  const title = `remove ${path} from the alternatives of ${name}`;
  const gone = step(given, title, ['update-alternatives', '--remove', name, path], 'program', path, null);
  return [{ said: `Remove alternative '${path}' from '${name}'.`, step: gone }];
}

function step(
  { name, path }: AlternativesParams,
  title: string,
  argv: string[],
  field: string,
  before: string | null | undefined,
  after: string | null = path,
): Step {
  const why = `the alternatives of ${name} change`;
  return oneStep({
    ...{ title, argv, subject: `alternatives of ${name}`, field, before: before ?? null, after },
    effects: [
      { type: 'fact.unknown', family: 'tool', id: toolKey(query(name)).id, why },
      { type: 'opaque', why },
    ],
  });
}

function query(name: string): ToolQuery {
  return { argv: ['update-alternatives', '--query', name] };
}

/** The query's blocks: one about the group, then one for each program. */
function groupOf({ rc, stdout = '' }: ToolFact): Group {
  const blocks = rc === 0 ? stdout.split(/\n\n+/) : [];
  const value = (block: string | undefined, name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block ?? '')?.[1];
  const programs = blocks
    .slice(1)
    .map((block): [string, number] => [value(block, 'Alternative') ?? '', Number(value(block, 'Priority'))]);
  return {
    link: value(blocks[0], 'Link'),
    mode: value(blocks[0], 'Status'),
    value: value(blocks[0], 'Value'),
    priorities: new Map(programs),
  };
}
