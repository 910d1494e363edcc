import { result } from '../core/result.ts';
import type { Value } from '../jinja/values.ts';
import { baseFacts, baseKey } from '../world/base.ts';
import { customFacts, customFactsKey } from '../world/custom-facts.ts';
import { defineModule } from './define.ts';
import { type Subset, selectFacts } from './lib/fact-subsets.ts';

/** What a plan knows to come from a machine that cannot be asked yet. */
const later = [
  'architecture',
  'distribution',
  'distribution_major_version',
  'distribution_release',
  'distribution_version',
  'os_family',
  'service_mgr',
  'systemd',
  'pkg_mgr',
  'kernel',
  'hostname',
  'fqdn',
  'nodename',
  'machine_id',
  'mounts',
  'memtotal_mb',
  'processor_vcpus',
  'default_ipv4',
  'default_ipv6',
  'all_ipv4_addresses',
  'interfaces',
  'virtualization_type',
  'virtualization_role',
  'local',
];
const laterFacts = Object.fromEntries(later.map((name) => [`ansible_facts.${name}`, 'one of them']));

export const setupModule = defineModule({
  name: 'setup',
  aliases: ['gather_facts'],
  doc: {
    summary: 'Gathers facts',
    notes: [
      'All facts come with the first question that is asked anyway, under the names and types of Ansible; what only its Python modules know (devices, LVM) is not there.',
      'Files NAME.fact of `fact_path` that are not executable become `ansible_local`; executable ones are not run.',
    ],
    examples: '- setup: {filter: [ansible_distribution*, ansible_default_ipv4]}\n',
    returns: { ansible_facts: 'the facts', ...laterFacts },
  },
  params: {
    filter: { type: 'list', elements: 'str', doc: 'Shell patterns of names', default: [] },
    gather_subset: {
      type: 'list',
      elements: 'str',
      doc: 'all, min, hardware, network, virtual …; `!` leaves out',
      default: ['all'],
    },
    gather_timeout: { type: 'int', doc: 'Accepted; nothing that is asked waits', default: 10 },
    fact_path: { type: 'path', doc: 'Folder of facts that users wrote', default: '/etc/ansible/facts.d' },
  },
  facts: (params) => [baseKey, customFactsKey(params.fact_path)],
  plan(params, world) {
    const all = new Map<string, Value>(baseFacts(world));
    all.set('local', customFacts(world, params.fact_path));
    const chosen = selectFacts(all, params.gather_subset as Subset[], params.filter);
    return { steps: [], result: result(false, { ansible_facts: chosen }) };
  },
});
