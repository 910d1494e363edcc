import { dirname, resolve } from 'node:path';
import { inputError } from '../core/errors.ts';
import type { EvalPoint } from '../core/evaluator.ts';
import { nearest } from '../core/nearest.ts';
import { scalarText } from '../core/plain.ts';
import { kubernetesFilters } from '../kubernetes/filters.ts';
import { Sources } from '../load/sources.ts';
import { type AnsibleConfig, configTarget, readAnsibleConfig } from '../resolve/ansible-cfg.ts';
import { createEvaluator } from '../resolve/evaluator.ts';
import { explainTarget, type ReachExplanation } from '../resolve/explain-target.ts';
import { readExtraVars } from '../resolve/extra-vars.ts';
import type { Inventory } from '../resolve/inventory.ts';
import { loadInventory } from '../resolve/inventory-load.ts';
import type { SshConfigAnswer } from '../resolve/ssh-config/index.ts';
import type { Wanted } from '../resolve/ssh-config/types.ts';
import { playPoint } from '../resolve/waves.ts';
import { ownSshConfig, projectTrust, sshConfigTargets } from '../run/ssh-config.ts';

export interface OfflineOptions {
  inventories: readonly string[];
  extraVars: readonly string[];
  /** A playbook whose group_vars and host_vars count, too. */
  playbook?: string;
  cwd: string;
}

/** An inventory and its variables, as a run would see them before it connects. */
export function readOffline({ inventories, extraVars, playbook, cwd }: OfflineOptions) {
  const sources = new Sources({ cwd });
  const extra = readExtraVars(extraVars, sources);
  const inventory = loadInventory(inventories, sources);
  const config = readAnsibleConfig(sources, process.env);
  const ask = ownSshConfig({ sources, env: process.env, warn: () => undefined });
  const answers: SshConfigAnswer[] = [];
  const answer = (wanted: Wanted) => {
    const found = ask(wanted);
    answers.push(found);
    return found;
  };
  const evaluator = createEvaluator({
    filters: kubernetesFilters,
    inventory,
    sources,
    ...(extra ? { extraVars: extra } : {}),
    lookups: { env: process.env },
    target: { ...configTarget(config), ...projectTrust(cwd), sshConfig: sshConfigTargets(answer, process.env) },
  });
  const { scopes } = evaluator;
  const file = resolve(cwd, playbook ?? 'playbook.yml');
  const point = (host: string) => hostPoint(host, file, inventory);
  const reach = (host: string) => hostReach(point(host), evaluator, config, answers);
  const target = (host: string) => evaluator.target(host, point(host));
  return { inventory, sources, scopes, reach, point, target };
}

/** How a host is reached, each value with who says it. */
function hostReach(
  point: EvalPoint,
  evaluator: ReturnType<typeof createEvaluator>,
  config: AnsibleConfig,
  answers: SshConfigAnswer[],
): ReachExplanation[] {
  answers.length = 0;
  const target = evaluator.target(point.host, point);
  const scope = evaluator.scopes.at(point);
  const text = (name: string) => scalarText(scope.get(name) ?? null);
  return explainTarget(target, {
    config: configTarget(config),
    // The host itself is asked for first, its jump hosts after it.
    sshConfig: answers[0]?.found ?? new Map(),
    ...(config.file ? { configFile: config.file } : {}),
    variable: (name) => {
      const first = scope.definitions(name)[0];
      return first?.origin ? { text: text(name), origin: first.origin } : undefined;
    },
  });
}

/** A host as a play without keywords of its own would see it. */
function hostPoint(name: string, file: string, inventory: Inventory): EvalPoint {
  const host = inventory.host(name);
  if (!host)
    throw inputError(`no host is called ${name}`, {
      nearest: nearest(name, inventory.hosts.keys()),
      hint: 'see: kpush inventory --graph',
    });
  const origin = { file, line: 1, column: 1 };
  const text = (value: string) => ({ value, origin, literal: true });
  const play = {
    ...{ id: 'explain', name: text('explain'), origin, hosts: text(name), keywords: {}, varsFiles: [], varsPrompt: [] },
    ...{ tasks: [], handlers: [], roles: [], gates: [], file, dir: dirname(file) },
  };
  return { ...playPoint(play), host: name, playHosts: [name], playHostsAll: [name], batch: [name] };
}
