import { readFileSync, writeFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { suite } from '../../support/harness.ts';

const page = suite('docs/variables-cluster.md');
const path = 'docs/variables-cluster.md';

interface Declared {
  section?: string;
  name?: string;
  type: string;
  choices?: string[];
  optional?: boolean;
  doc: string;
}

const declared = parse(readFileSync('playbooks/variables.yaml', 'utf8')) as Declared[];
const defaults = parse(readFileSync('playbooks/roles/cluster/defaults/main.yml', 'utf8')) as Record<string, unknown>;

page('is what playbooks/variables.yaml and the defaults say', () => {
  if (process.env.KPUSH_GOLDEN === 'write') writeFileSync(path, text());
  assert.is(readFileSync(path, 'utf8') === text(), true, `${path} is not up to date: KPUSH_GOLDEN=write makes it`);
});

page('every variable that is not optional has a default, and a doc', () => {
  for (const { name, optional, doc } of declared)
    if (name) {
      assert.is(name in defaults, !optional, name);
      assert.ok(doc.length > 10, name);
    }
});

function text(): string {
  return `# Variables of the cluster

Made from \`playbooks/variables.yaml\` and \`playbooks/roles/cluster/defaults/main.yml\`; the first wave of
\`playbooks/cluster.yaml\` checks them. Set them in the inventory, for all machines, a group or one machine
([variables.md](variables.md) says which wins). \`kpush explain -i inventory.yaml HOST VARIABLE\` tells a value's place.
${declared.map((one) => (one.section ? `\n## ${one.section}\n` : entry(one))).join('\n')}
`;
}

function entry({ name = '', type, choices, doc }: Declared): string {
  const kind = choices ? choices.join(', ') : type;
  return `- \`${name}\` (${kind}; ${defaultOf(name)}): ${doc.trim()}`;
}

function defaultOf(name: string): string {
  const value = defaults[name];
  if (value === undefined) return 'no default';
  return `default \`${typeof value === 'string' && value !== '' ? value.trim() : JSON.stringify(value)}\``;
}

page.run();
