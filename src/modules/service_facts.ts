import { result } from '../core/result.ts';
import type { Value } from '../jinja/values.ts';
import { type ServiceList, serviceList, serviceListKey } from '../world/service-list.ts';
import { defineModule } from './define.ts';

export const serviceFactsModule = defineModule({
  name: 'service_facts',
  doc: {
    summary: 'Makes a fact of every service',
    examples: '- service_facts:\n- debug: {msg: "{{ ansible_facts.services[\'ssh.service\'].state }}"}\n',
    returns: { 'ansible_facts.services': 'name, state (running, stopped …), status (enabled, disabled …), source' },
  },
  params: {},
  facts: () => [serviceListKey],
  plan(_params, world) {
    const list = serviceList(world);
    const byName = new Map<Value, Value>(list.services.map((service) => [service.name, factOf(service)]));
    return { steps: [], result: result(false, { ansible_facts: new Map<Value, Value>([['services', byName]]) }) };
  },
});

/** Ansible's words: a bad load state or a failure is the status, and a unit that was never loaded is inactive. */
function factOf({ name, load, active, sub, fileState }: ServiceList['services'][number]): Value {
  const bad = [load, active, sub].find((word) => word === 'not-found' || word === 'masked' || word === 'failed');
  const state = load === undefined ? 'inactive' : sub === 'running' ? 'running' : 'stopped';
  return new Map(Object.entries({ name, state, status: bad ?? fileState ?? active ?? 'unknown', source: 'systemd' }));
}
