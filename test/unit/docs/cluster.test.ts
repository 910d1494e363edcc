import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { suite } from '../../support/harness.ts';

/** docs/cluster.md against the playbook it tells of. */
const page = suite('docs/cluster.md');
const text = readFileSync('docs/cluster.md', 'utf8');
const plays = parse(readFileSync('playbooks/cluster.yaml', 'utf8')) as {
  name: string;
  gates?: { deadline: unknown }[];
}[];

page('has every wave, in order', () => {
  const rows = [...text.matchAll(/^\| ([^|]+?) +\|[^|]*\|[^|]*\|$/gm)].map((match) => match[1]!);
  const waves = rows.slice(rows.indexOf('Preflight'));
  assert.equal(
    waves,
    plays.map(({ name }) => name.replace('Endpoint of the control plane', 'Endpoint')),
  );
});

page('has every deadline that the playbook sets', () => {
  for (const { name, gates = [] } of plays) {
    const row =
      text.split('\n').find((line) => line.startsWith(`| ${name.replace(' of the control plane', '')} |`)) ?? '';
    const told = new Set([...row.matchAll(/(\d+) s\b/g)].map((match) => match[1]));
    for (const { deadline } of gates) {
      const seconds = /(\d+)\)? ?(?:\}\})?$/.exec(String(deadline))?.[1];
      assert.ok(told.has(seconds), `${name}: ${deadline} is not told`);
    }
  }
});

page('names variables that there are', () => {
  const declared = new Set(
    (parse(readFileSync('playbooks/variables.yaml', 'utf8')) as { name?: string }[]).map(({ name }) => name),
  );
  for (const [, name] of text.matchAll(/`(kube_\w+|join_\w+|control_plane_endpoint)/g))
    assert.ok(declared.has(name), name);
});

page.run();
