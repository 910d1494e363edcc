import { loadInventory } from '../../../src/resolve/inventory-load.ts';
import { memorySources } from '../../unit/load/support/memory-files.ts';
import { outcome, type Target } from '../support/target.ts';

/** Ansible's INI dialect of inventories. */
export const target: Target = {
  words: [
    ...['[', ']', '[web]', '[web:children]', '[all:vars]', ':vars]', ':children]', '[[', ']:', '[a:b:c]', 'ungrouped'],
    ...['h[1:3]', '[01:10:2]', '[a:f]', 'h[0:9][0:9][0:9]', ':22', '[::1]:22', '=', "='", '="', ' # ', ';', '\\', '\n'],
    ...['ansible_host=', 'ansible_port=', "{'a': 1}", '[1, 2]', "'''", 'True', '1_000', '0o7', '{{ x }}', '!vault |'],
  ],
  run(input) {
    const text = input.toString('utf8');
    const read = () => loadInventory(['h'], memorySources({ h: input }));
    return outcome(
      () => {
        const { groups, hosts } = read();
        for (const name of [...groups.keys(), ...hosts.keys()])
          if (/^-|[\s/\u0000-\u001f]/.test(name)) throw new Error(`a name that is none: ${JSON.stringify(name)}`);
        return `${Math.min(9, groups.size)} groups ${Math.min(9, hosts.size)} hosts`;
      },
      () => text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n'),
    );
  },
};
