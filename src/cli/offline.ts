import { dirname, resolve } from 'node:path';
import { inputError } from '../core/errors.ts';
import type { EvalPoint } from '../core/evaluator.ts';
import { nearest } from '../core/nearest.ts';
import { kubernetesFilters } from '../kubernetes/filters.ts';
import { Sources } from '../load/sources.ts';
import { createEvaluator } from '../resolve/evaluator.ts';
import { readExtraVars } from '../resolve/extra-vars.ts';
import type { Inventory } from '../resolve/inventory.ts';
import { loadInventory } from '../resolve/inventory-load.ts';
import { playPoint } from '../resolve/waves.ts';

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
  const { scopes } = createEvaluator({
    filters: kubernetesFilters,
    inventory,
    sources,
    ...(extra ? { extraVars: extra } : {}),
    lookups: { env: process.env },
  });
  const file = resolve(cwd, playbook ?? 'playbook.yml');
  return { inventory, sources, scopes, point: (host: string) => hostPoint(host, file, inventory) };
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
