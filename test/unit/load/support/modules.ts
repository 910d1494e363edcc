import { findGate, gateNames } from '../../../../src/gates/registry.ts';
import type { ModuleTable } from '../../../../src/load/context.ts';
import { findModule, moduleNames } from '../../../../src/modules/registry.ts';

/** The real modules and gates, and a few modules that are the planner's or the driver's own. */
export const modules: ModuleTable = {
  find: (name) => findModule(name) ?? (own.includes(name) ? { name, params: ownParams[name] ?? {} } : undefined),
  names: () => [...moduleNames(), ...own],
  gate: (name) => findGate(name) ?? (name === 'http' ? http : undefined),
  gateNames: () => [...new Set([...gateNames(), 'http'])],
};

const own = ['debug', 'assert', 'set_fact', 'add_host', 'group_by', 'pause'];
const ownParams: Record<string, NonNullable<ReturnType<ModuleTable['find']>>['params']> = {
  debug: {
    msg: { type: 'raw', doc: '' },
    var: { type: 'str', doc: '' },
    verbosity: { type: 'int', doc: '' },
  },
  kube_binaries: {
    names: { type: 'list', elements: 'str', doc: '' },
    url: { type: 'str', doc: '' },
    version: { type: 'version', doc: '' },
  },
  assert: { that: { type: 'list', required: true, doc: '' }, fail_msg: { type: 'str', doc: '' } },
};
const http = { name: 'http', params: { url: { type: 'str', required: true, doc: '' } } } as const;
