import { quote } from '../core/quote.ts';
import { result, TaskFailure } from '../core/result.ts';
import type { Step } from '../core/steps.ts';
import type { Value } from '../jinja/values.ts';
import { type HostnameFact, hostname, hostnameKey } from '../world/hostname.ts';
import { defineModule } from './define.ts';

export const hostnameModule = defineModule({
  name: 'hostname',
  doc: {
    summary: 'Sets the name of a host, now and for good',
    notes: ['/etc/hosts is not touched.'],
    examples: '- hostname: {name: "{{ inventory_hostname }}"}\n',
    returns: { name: 'the name', ansible_facts: 'ansible_hostname, ansible_nodename, ansible_fqdn, ansible_domain' },
  },
  params: {
    name: { type: 'str', operand: true, doc: 'The name', required: true },
    use: { type: 'str', doc: 'Accepted; hostnamectl is used where systemd runs' },
  },
  facts: () => [hostnameKey],
  plan({ name }, world) {
    if (!/^[A-Za-z0-9]([A-Za-z0-9.-]{0,62}[A-Za-z0-9])?$/.test(name))
      throw new TaskFailure(`'${name}' is no host name`);
    const fact = hostname(world);
    const same = fact.current === name && fact.permanent === name;
    return { steps: same ? [] : [stepOf(name, fact)], result: result(!same, { name, ansible_facts: factsOf(name) }) };
  },
});

function stepOf(name: string, fact: HostnameFact): Step {
  const plain = `hostname ${quote(name)} && printf '%s\\n' ${quote(name)} >/etc/hostname`;
  return {
    title: `name the host ${name}`,
    run: {
      kind: 'sh',
      script: fact.systemd ? `exec hostnamectl --no-ask-password set-hostname ${quote(name)}` : plain,
    },
    effects: [
      { type: 'fact.set', family: 'hostname', id: 'name', value: { ...fact, current: name, permanent: name } },
      { type: 'fact.unknown', family: 'base', id: 'facts', why: `the host is named ${name}` },
      { type: 'file.unknown', path: '/etc/hostname', why: `the host is named ${name}` },
    ],
    proof: [hostnameKey],
    diff: [
      {
        kind: 'fields',
        subject: 'host name',
        fields: (['current', 'permanent'] as const)
          .filter((field) => fact[field] !== name)
          .map((field) => ({ name: field, before: fact[field] || null, after: name })),
      },
    ],
  };
}

function factsOf(name: string): Value {
  const [short = '', ...rest] = name.split('.');
  return new Map(
    Object.entries({
      ansible_hostname: short,
      ansible_nodename: name,
      ansible_fqdn: name,
      ansible_domain: rest.join('.'),
    }),
  );
}
