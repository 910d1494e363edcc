import { actions, findAction } from '../actions/registry.ts';
import { findGate, gateNames } from '../gates/registry.ts';
import { knows, standardEnvironment, standardLookups } from '../jinja/index.ts';
import { kubernetesFilters } from '../kubernetes/filters.ts';
import type { ModuleTable, NameKind, NameTable } from '../load/context.ts';
import { findModule, moduleNames } from '../modules/registry.ts';
import { lookupDocs } from '../resolve/lookups/index.ts';

/** All modules, actions and gates, for the loader. */
export const moduleTable: ModuleTable = {
  find: (name) => findModule(name) ?? findAction(name),
  names: () => [...moduleNames(), ...actions.map((action) => action.name)],
  gate: (name) => findGate(name),
  gateNames: () => gateNames(),
};

/** All filters, tests and lookups of a run. */
export function nameTable(): NameTable {
  const tables = templateTables();
  return { has: (kind, name) => knows(tables[kind], name), all: (kind) => tables[kind].keys() };
}

/** By kind, each name with its one line for the reference. */
export function templateTables(): Record<NameKind, ReadonlyMap<string, { doc: string }>> {
  const { filters, tests } = standardEnvironment();
  const lookups = [...Object.entries(standardLookups), ...Object.entries(lookupDocs)];
  return {
    filter: new Map([...filters, ...Object.entries(kubernetesFilters)]),
    test: tests,
    lookup: new Map<string, { doc: string }>(lookups),
  };
}
