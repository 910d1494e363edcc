/** What kpush reads of mutated inputs, and what the programs that the formats come from read of the same. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { toPlain } from '../../src/jinja/index.ts';
import { loadInventory } from '../../src/resolve/inventory-load.ts';
import { matchesHost, parseKnownHosts } from '../../src/transports/ssh/known-hosts.ts';
import { Dice } from '../support/dice.ts';
import { note, suite } from '../support/harness.ts';
import { tempFolder } from '../support/temp.ts';
import { memorySources } from '../unit/load/support/memory-files.ts';
import { effort } from './support/efforts.ts';
import { corpusOf } from './support/hunt.ts';
import { mutated } from './support/mutate.ts';
import { target as ini } from './targets/ini.ts';
import { target as knownHosts } from './targets/known-hosts.ts';

const test = suite('fuzz: as the programs that the formats come from', { timeout: 120_000 });

test('an inventory that kpush reads, Ansible reads as the same hosts, groups and values', () => {
  // What kpush refuses for its size, Ansible would fill the memory with.
  // A port of 0 is none to Ansible; kpush says so before it connects. Lines that end in a colon are YAML to Ansible.
  const texts = samples('ini', ini.words, 900).filter((text) => !/\{\{|!vault|:0+\b|:\s*$/m.test(text));
  const ours = texts.flatMap((text) => {
    const read = ourInventory(text);
    return read && Object.keys(read.hosts).length < 2000 ? [{ text, read }] : [];
  });
  const theirs = JSON.parse(
    execFileSync('/usr/bin/python3', [new URL('support/inventories.py', import.meta.url).pathname], {
      input: JSON.stringify(ours.map(({ text }) => text)),
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      timeout: 60_000,
    }),
  ) as (Read | null)[];
  const read = ours.map(({ text, read }, at) => ({ text, ours: sorted(read), theirs: sorted(theirs[at]) }));
  note(`${texts.length} inventories, ${read.length} read`);
  same(read);
  assert.ok(read.length >= 100, `${read.length} read`);
});

test('a key of known_hosts is found where ssh-keygen finds it', () => {
  const file = join(tempFolder('known'), 'known_hosts');
  const found = samples('known-hosts', knownHosts.words, 250).flatMap((text) => {
    const [name = '', ...lines] = text.split('\n');
    // ssh-keygen reads over line ends of other systems in the middle of a key, and over a list of hosts that is cut.
    if (!/^[a-z0-9.:[\]]+$/.test(name) || lines.length === 0 || /[\r\v\f]|,[ \t]/.test(text)) return [];
    writeFileSync(file, `${lines.join('\n')}\n`);
    const { stdout } = spawnSync('ssh-keygen', ['-l', '-F', name, '-f', file], { encoding: 'utf8' });
    const theirs = [...stdout.matchAll(/found: line (\d+)/g)].map(([, line]) => Number(line));
    const ours = parseKnownHosts(lines.join('\n'), file).filter(({ hosts }) => matchesHost(hosts, name));
    return [{ text, ours: ours.map(({ line }) => line).join(), theirs: theirs.join() }];
  });
  note(`${found.length} files, ${found.filter(({ theirs }) => theirs).length} with the name`);
  same(found);
  assert.ok(found.filter(({ theirs }) => theirs).length >= 20);
});

test.run();

interface Read {
  groups: Record<string, string[]>;
  hosts: Record<string, Record<string, unknown>>;
}

/** Kept inputs with a few places changed, as text. */
function samples(name: string, words: readonly string[], count: number): string[] {
  const dice = new Dice(effort.seed);
  const folder = corpusOf(name);
  const kept = readdirSync(folder)
    .sort()
    .map((file) => readFileSync(join(folder, file)));
  const made = () => mutated(dice.of(kept), dice, { words, other: dice.of(kept) }, 2).toString('utf8');
  return Array.from({ length: count }, made).filter((text) => text.length < 3000 && !text.includes('\ufffd'));
}

function ourInventory(text: string): Read | undefined {
  try {
    const inventory = loadInventory(['h'], memorySources({ h: text }));
    const hosts = [...inventory.hosts.values()];
    return {
      groups: fromEntries([...inventory.groups.keys()].map((name) => [name, [...inventory.hostsOf(name)].sort()])),
      hosts: fromEntries(
        hosts.map(({ name, vars }) => [
          name,
          fromEntries([...vars].map(([key, { node }]) => [key, toPlain(node.value)])),
        ]),
      ),
    };
  } catch {
    return undefined;
  }
}

function fromEntries<T>(entries: [string, T][]): Record<string, T> {
  return Object.fromEntries(entries);
}

function sorted(value: Read | null | undefined): string {
  const byName = (_key: string, item: unknown) => {
    if (typeof item === 'bigint') return Number(item); // as JSON.parse gives what Python prints whole
    const isMap = item && typeof item === 'object' && !Array.isArray(item);
    return isMap ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item;
  };
  return JSON.stringify(value ?? null, byName);
}

function same(found: { text: string; ours: string; theirs: string }[]): void {
  const differing = found.filter(({ ours, theirs }) => ours !== theirs);
  const [first] = differing;
  const shown = first && `${JSON.stringify(first.text)}\nours:   ${first.ours}\ntheirs: ${first.theirs}`;
  assert.is(differing.length, 0, `KPUSH_SEED=${effort.seed}: ${differing.length} differ; the first:\n${shown}`);
}
