import { actions, findAction } from '../actions/registry.ts';
import { InputErrors, inputError, KpushError } from '../core/errors.ts';
import type { DynamicLoader, Evaluator } from '../core/evaluator.ts';
import type { EventBody } from '../core/events.ts';
import type { Node } from '../core/node.ts';
import type { RunOptions } from '../core/options.ts';
import type { Play, Playbook } from '../core/play.ts';
import { findGate, gateNames } from '../gates/registry.ts';
import { kubernetesFilters } from '../kubernetes/filters.ts';
import type { Loading } from '../load/context.ts';
import { dynamicLoader } from '../load/dynamic.ts';
import type { SourceFiles } from '../load/files.ts';
import { loadPlaybook } from '../load/playbook.ts';
import { Sources } from '../load/sources.ts';
import type { Vault } from '../load/vault.ts';
import { findModule, moduleNames } from '../modules/registry.ts';
import type { WaveTools } from '../plan/waves.ts';
import { type AnsibleConfig, configTarget, readAnsibleConfig } from '../resolve/ansible-cfg.ts';
import { createEvaluator } from '../resolve/evaluator.ts';
import { readExtraVars } from '../resolve/extra-vars.ts';
import type { Inventory } from '../resolve/inventory.ts';
import { loadInventory } from '../resolve/inventory-load.ts';
import { limitedHosts } from '../resolve/limit.ts';
import { producedBy } from '../resolve/produced.ts';
import { reach } from '../resolve/reach.ts';
import type { MagicFlags } from '../resolve/settings.ts';
import { isSelected, splitTags, tasksBefore, unknownTags } from '../resolve/tags.ts';
import { checkNames } from '../resolve/undefined-names.ts';
import { createWaves } from '../resolve/waves.ts';
import { type Chance, freshChance } from './chance.ts';
import { grow } from './grow.ts';
import { ControllerLookups } from './lookups.ts';
import type { Answers } from './prompts.ts';
import { seededRandom } from './random.ts';
import type { Secrets } from './secrets.ts';
import { ownSshConfig, projectTrust, sshConfigTargets } from './ssh-config.ts';
import { targetFlags } from './target-flags.ts';

/** A run whose input is known to be good: everything is read and checked, nothing is connected. */
export interface Prepared {
  playbook: Playbook;
  inventory: Inventory;
  evaluator: Evaluator;
  plays: readonly Play[];
  tools: WaveTools;
  /** What was asked or read for reaching hosts; passphrases may still come in. */
  secrets: Secrets;
  /** Hosts worked on at once as ansible.cfg says. */
  forks?: number;
  /** Said when a plan, or an apply, begins: what lookups may do on the controller, and what they must ask again. */
  begin(phase: 'plan' | 'apply'): void;
}

/** The files of a run: what can be read before the first question. */
export interface Input {
  sources: Sources;
  extraVars: Node | undefined;
  config: AnsibleConfig;
  inventories: readonly string[];
  inventory: Inventory;
  playbook: Playbook;
  loading: Loading;
}

export interface PrepareTools {
  /** The controller's files; absent: the disk. */
  files?: SourceFiles;
  warn(warning: KpushError): void;
  secrets: Secrets;
  /** Decrypts vaulted files and values; absent: no password was given. */
  vault?: Vault;
  /** Answers to vars_prompt. */
  answers?: Answers;
  /** Takes what lookups do on the controller. */
  emit?(event: EventBody): void;
  conceal?(secret: string): void;
  /** Of a saved plan; absent: a new one. */
  chance?: Chance;
}

/** Reads one playbook and the inventory. Throws an input error, or all that were found. */
export function readInput(playbookPath: string, options: RunOptions, tools: PrepareTools): Input {
  const onDuplicate = options.compat === 'ansible' ? tools.warn : undefined;
  const sources = new Sources(definedOf({ files: tools.files, onDuplicate, vault: tools.vault }));
  const extraVars = readExtraVars(options.extraVars, sources);
  const config = readAnsibleConfig(sources, process.env);
  const inventories = options.inventories.length ? options.inventories : (config.inventories ?? []);
  const inventory = loadInventory(inventories, sources, tools.warn);
  const { playbook, loading } = loadPlaybook(playbookPath, {
    sources,
    extraVars,
    strict: options.strict,
    modules: moduleTable,
    ...definedOf({ rolesPath: config.rolesPath }),
  });
  return { sources, extraVars, config, inventories, inventory, playbook, loading };
}

/** Checks what was read, and makes of it what the run needs. Throws as `readInput` does. */
export function prepare(
  playbookPath: string,
  options: RunOptions,
  tools: PrepareTools,
  input: Input = readInput(playbookPath, options, tools),
): Prepared {
  const warn = options.compat === 'ansible' ? tools.warn : undefined;
  const { sources, extraVars, config, inventory, playbook, loading } = input;
  const loader = dynamicLoader(playbook, loading);
  const found = reach(playbook, loader);
  for (const warning of [...loading.problems.warnings, ...tagWarnings(options, playbook)]) tools.warn(warning);
  let phase: 'plan' | 'apply' = 'plan';
  const lookups = new ControllerLookups({
    noProbes: options.noProbes,
    writes: () => phase === 'apply' && !options.check,
    emit: tools.emit ?? (() => undefined),
    conceal: tools.conceal ?? (() => undefined),
  });
  const chance = tools.chance ?? freshChance(options.runId);
  const randomAt = seededRandom(chance.seed);
  const evaluator = createEvaluator({
    filters: kubernetesFilters,
    inventory,
    sources,
    extraVars,
    flags: magicFlags(options, input),
    target: {
      ...configTarget(config),
      ...targetFlags(options),
      ...tools.secrets,
      ...projectTrust(process.cwd()),
      sshConfig: sshConfigTargets(ownSshConfig({ sources, env: process.env, warn: tools.warn }), process.env),
    },
    produced: producedBy(found),
    lookups,
    now: () => new Date(chance.now),
    randomAt,
    ...definedOf({ prompted: tools.answers }),
  });
  const limit = limitedHosts(options.limit, inventory, sources, warn);
  const waves = createWaves({
    inventory,
    evaluator,
    playbook,
    found,
    randomAt,
    ...definedOf({ limit, warn, fatal: config.anyErrorsFatal, earlier: options.earlier }),
  });
  if (input.inventories.length > 0 || inventory.hosts.size > 0 || warn) waves.check();
  else withoutInventory(() => waves.check());
  checkNames({ playbook, inventory, sources, extraVars, found });
  return {
    playbook,
    inventory,
    evaluator,
    plays: playbook.plays,
    secrets: tools.secrets,
    tools: waveTools(options, chance, playbook, loader, evaluator, inventory, waves, config.gathering !== 'explicit'),
    begin: (next) => {
      phase = next;
      lookups.renew();
    },
    ...definedOf({ forks: config.forks }),
  };
}

/** Where no inventory was named, that is what is wrong with every pattern. */
function withoutInventory(check: () => void) {
  try {
    check();
  } catch (error) {
    if (!(error instanceof InputErrors || error instanceof KpushError)) throw error;
    throw inputError('no inventory was named, and the playbook is not for this machine alone', {
      hint: 'name one with -i, such as -i inventory.yaml',
      cause: error,
    });
  }
}

/** A tag that nothing has does nothing, without a word, as in Ansible. */
function tagWarnings({ tags, skipTags, compat }: RunOptions, playbook: Playbook): KpushError[] {
  return compat === 'ansible' ? [] : unknownTags(splitTags([...tags, ...skipTags]), playbook);
}

/** What the flags say that templates can read. */
function magicFlags(options: RunOptions, { config, inventories }: Input): MagicFlags {
  return {
    diff: options.diff,
    limit: options.limit.join(','),
    tags: splitTags(options.tags),
    skipTags: splitTags(options.skipTags),
    verbosity: options.verbosity,
    inventories,
    ...definedOf({ forks: options.forks ?? config.forks, configFile: config.file }),
  };
}

function waveTools(
  options: RunOptions,
  { runId, now }: Chance,
  playbook: Playbook,
  loader: DynamicLoader,
  evaluator: Evaluator,
  inventory: Inventory,
  waves: Pick<WaveTools, 'wave' | 'hosts'>,
  gather: boolean,
): WaveTools {
  const choice = {
    tags: splitTags(options.tags),
    skipTags: splitTags(options.skipTags),
    ...(options.startAtTask ? { before: tasksBefore(playbook, options.startAtTask) } : {}),
  };
  return {
    evaluator,
    loader,
    module: findModule,
    action: findAction,
    grow: (call) => grow(call, inventory),
    isSelected: (task, tags) => isSelected(task, tags, choice),
    options: {
      runId,
      now,
      checkMode: options.check,
      diff: options.diff,
      noProbes: options.noProbes,
      forceHandlers: options.forceHandlers,
      gather,
    },
    wave: waves.wave,
    hosts: waves.hosts,
  };
}

const moduleTable = {
  find: (name: string) => findModule(name) ?? findAction(name),
  names: () => [...moduleNames(), ...actions.map((action) => action.name)],
  gate: (name: string) => findGate(name),
  gateNames: () => gateNames(),
};

export function definedOf<T extends object>(record: T): Partial<T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Partial<T>;
}
