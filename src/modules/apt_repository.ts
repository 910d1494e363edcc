import { coerceParams } from '../core/coerce.ts';
import type { FactKey } from '../core/facts.ts';
import type { ModuleContext, Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { result, TaskFailure } from '../core/result.ts';
import type { Step } from '../core/steps.ts';
import { glob, globKey } from '../world/glob.ts';
import { aptModule } from './apt.ts';
import { defineModule } from './define.ts';
import type { AptParams } from './lib/apt-params.ts';
import { aptKeys, planApt } from './lib/apt-plan.ts';
import { type SourceLine, sourceFile, sourceLine, sourceLines, sourcesText } from './lib/apt-sources.ts';
import { type EditParams, editKeys, type Opened, openText, saveText } from './lib/edit.ts';
import { completeTold } from './lib/one-step.ts';
import { removeFileStep } from './lib/remove-file.ts';

const params = {
  repo: { type: 'str', doc: 'The source line: deb [options] URI suite components', required: true },
  state: { type: 'str', doc: 'Whether it shall be there', choices: ['absent', 'present'], default: 'present' },
  filename: { type: 'str', doc: 'Name of a new file without .list; default: made from the URI' },
  mode: { type: 'mode', doc: 'Permission bits of a new file' },
  update_cache: {
    type: 'bool',
    doc: 'Load the package indexes after a change',
    default: true,
    aliases: ['update-cache'],
  },
  update_cache_retries: { type: 'int', doc: 'How often that is tried', default: 5 },
  update_cache_retry_max_delay: { type: 'int', doc: 'Seconds between tries at most', default: 12 },
  install_python_apt: { type: 'bool', doc: 'Accepted; kpush needs no Python', default: true },
  validate_certs: { type: 'bool', doc: 'Accepted; only PPAs need it', default: true },
  codename: { type: 'str', doc: 'Accepted; only PPAs need it' },
} as const satisfies ParamSpecs;

type RepoParams = Params<typeof params>;

export const aptRepositoryModule = defineModule({
  name: 'apt_repository',
  doc: {
    summary: 'Keeps a source of Debian packages',
    notes: ['Lines in sources.list and in sources.list.d/*.list count. PPAs are refused: write their source line.'],
    examples:
      '- apt_repository: {repo: "deb [signed-by=/etc/apt/keyrings/k8s.gpg] https://pkgs.example/deb/ /", filename: kubernetes}\n',
    returns: { repo: 'as given', state: 'as asked' },
  },
  params,
  facts: (given, ctx) => keysOf(given, ctx),
  plan: (given, world, ctx) => planSource(given, world, ctx),
  complete: (_given, predicted, outcomes) => completeTold(predicted, outcomes),
});

const main = '/etc/apt/sources.list';
const others = '/etc/apt/sources.list.d/*.list';

function keysOf(given: RepoParams, ctx: ModuleContext): FactKey[] {
  const own = editKeys(editOf(sourceFile(given.repo, given.filename)), ctx);
  return [
    globKey(others),
    ...editKeys(editOf(main), ctx),
    ...own,
    ...(given.update_cache ? aptKeys(update(given)) : []),
  ];
}

interface SourcesFile {
  opened: Opened;
  lines: SourceLine[];
}

function planSource(given: RepoParams, world: WorldView, ctx: ModuleContext): Plan {
  const wanted = checked(given.repo);
  const paths = [main, ...glob(world, others)];
  const files = paths.map((path) => sources(path, world, ctx)).filter(({ opened }) => opened.fact.exists);
  const steps =
    given.state === 'present' ? added(given, wanted, files, world, ctx) : removed(wanted, files, world, ctx);
  const values = { repo: given.repo, state: given.state };
  const load = steps.length > 0 && given.update_cache ? planApt(update(given), world, ctx).steps : [];
  return { steps: [...steps, ...load], result: result(steps.length > 0, values) };
}

function checked(repo: string): string {
  const { valid, enabled, source } = sourceLine(repo);
  if (repo.startsWith('ppa:'))
    throw new TaskFailure('kpush does not look PPAs up', {}, 'write the line: deb https://ppa.launchpadcontent.net/…');
  if (!valid || !enabled) throw new TaskFailure(`Invalid repository string: ${repo}`);
  return source;
}

function sources(path: string, world: WorldView, ctx: ModuleContext): SourcesFile {
  const opened = openText(editOf(path), world, ctx);
  return { opened, lines: sourceLines(opened.text ?? '') };
}

/** A line that is there but commented out is used again. */
function added(given: RepoParams, wanted: string, files: SourcesFile[], world: WorldView, ctx: ModuleContext): Step[] {
  const holders = files.filter(({ lines }) => lines.some((line) => line.valid && line.source === wanted));
  if (holders.length > 0)
    return holders.flatMap(({ opened, lines }) => {
      const after = lines.map((line) => (line.valid && line.source === wanted ? { ...line, enabled: true } : line));
      return lines.every((line, i) => line.enabled === after[i]!.enabled) ? [] : save(opened, after, {}, world, ctx);
    });
  const path = sourceFile(wanted, given.filename);
  const file = sources(path, world, ctx);
  const line = { valid: true, enabled: true, source: wanted, comment: '' };
  return save(file.opened, [...file.lines, line], { mode: given.mode ?? 0o644 }, world, ctx);
}

function removed(wanted: string, files: SourcesFile[], world: WorldView, ctx: ModuleContext): Step[] {
  return files.flatMap(({ opened, lines }) => {
    const left = lines.filter((line) => !(line.valid && line.enabled && line.source === wanted));
    if (left.length === lines.length) return [];
    return left.length === 0 ? [removeFileStep(opened.path, opened.text)] : save(opened, left, {}, world, ctx);
  });
}

function save(
  opened: Opened,
  lines: SourceLine[],
  attributes: Pick<EditParams, 'mode'>,
  world: WorldView,
  ctx: ModuleContext,
): Step[] {
  return saveText(opened, sourcesText(lines), { ...editOf(opened.path), ...attributes }, world, ctx).steps;
}

function editOf(path: string): EditParams {
  return { path, backup: false, unsafe_writes: false };
}

function update({ update_cache_retries, update_cache_retry_max_delay }: RepoParams): AptParams {
  const given = { update_cache: true, update_cache_retries, update_cache_retry_max_delay };
  return coerceParams(aptModule.params, given, { module: 'apt', rules: aptModule.rules }).params as AptParams;
}
