import { result, TaskFailure } from '../core/result.ts';
import type { Value } from '../jinja/values.ts';
import { type PackageList, packageList, packageListKey } from '../world/package-list.ts';
import { defineModule } from './define.ts';

export const packageFactsModule = defineModule({
  name: 'package_facts',
  doc: {
    summary: 'Makes a fact of every installed package',
    examples: '- package_facts:\n- debug: {msg: "{{ ansible_facts.packages.curl[0].version }}"}\n',
    returns: { 'ansible_facts.packages': 'a list of name, version, arch, source for each name' },
  },
  params: {
    manager: { type: 'list', elements: 'str', doc: 'Accepted managers; auto: whichever is there', default: ['auto'] },
    strategy: { type: 'str', doc: 'Accepted; a host has one manager', choices: ['first', 'all'], default: 'first' },
  },
  facts: () => [packageListKey],
  plan(params, world) {
    const list = packageList(world);
    if (list.manager === 'none' || !accepts(params.manager, list.manager))
      throw new TaskFailure(
        `Could not detect a supported package manager from the following list: ${params.manager.join(', ')}`,
      );
    const facts = new Map<Value, Value>([['packages', byName(list)]]);
    return { steps: [], result: result(false, { ansible_facts: facts }) };
  },
});

function accepts(wanted: readonly string[], manager: string): boolean {
  return wanted.some((name) => name === 'auto' || name === manager);
}

function byName(list: PackageList): Map<Value, Value> {
  const found = new Map<Value, Value[]>();
  for (const one of list.packages) {
    const fields = new Map<Value, Value>(Object.entries({ ...one, source: list.manager }));
    found.set(one.name, [...(found.get(one.name) ?? []), fields]);
  }
  return found;
}
