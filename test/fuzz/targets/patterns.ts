import { loadInventory } from '../../../src/resolve/inventory-load.ts';
import { checkPattern, selectHosts } from '../../../src/resolve/patterns.ts';
import { memorySources } from '../../unit/load/support/memory-files.ts';
import { outcome, type Target } from '../support/target.ts';

const long = 'node-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example.org';
const text = `[web]\nweb[1:9]\n[db]\ndb1\ndb2\n2001:db8::1\n[all:children]\nweb\ndb\n[far]\n${long}\nodd+name=1\n`;
const inventory = loadInventory(['h'], memorySources({ h: text }));

/** What stands behind `hosts:` and in `--limit`. */
export const target: Target = {
  words: [
    ...[
      'all',
      'web',
      'db',
      'web*',
      ':',
      ',',
      '!',
      '&',
      ':!',
      ':&',
      '~',
      '~(web|db)[1-3]',
      '[0]',
      '[-1]',
      '[1:2]',
      '[1-]',
    ],
    ...[
      '*',
      '**',
      '*a*a*a*a*a*a*',
      '?',
      '[a-c]',
      '[!a]',
      '[z-a]',
      '[]',
      '[]]',
      '(',
      ')',
      '(a+)+$',
      '(?:',
      '\\',
      '{1,9}',
    ],
  ],
  run(input) {
    const pattern = input.toString('utf8');
    return outcome(
      () => {
        checkPattern(pattern, { what: 'the pattern' });
        const found = selectHosts([pattern], inventory, { what: 'the pattern' });
        if (new Set(found).size !== found.length) throw new Error(`a host twice: ${found.join()}`);
        for (const name of found) if (!inventory.host(name)) throw new Error(`no host of the inventory: ${name}`);
        return `${found.length} hosts`;
      },
      () => undefined,
    );
  },
};
