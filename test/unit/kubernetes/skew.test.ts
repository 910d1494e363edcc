import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { judgeRoll, type Roll } from '../../../src/kubernetes/skew.ts';
import { breaches, type Instance, type SkewComponent } from '../../../src/kubernetes/skew-rules.ts';
import { compareReleases, lenientRelease } from '../../../src/kubernetes/skew-version.ts';
import { suite } from '../../support/harness.ts';

interface Table {
  /** Component, its version, whom it stands beside, that one's version, whether the policy allows it. */
  pairs: [SkewComponent, string, SkewComponent, string, 'yes' | 'no'][];
  versions: Record<string, string | null>;
  order: string[];
  rolls: (Partial<Roll> & {
    name: string;
    verdict: string;
    problems?: string[];
    already?: string[];
    moments?: number;
  })[];
}

const skew = suite('version skew');
const table = parse(readFileSync(join(import.meta.dirname, 'skew.yaml'), 'utf8'), { merge: true }) as Table;

for (const [component, version, other, otherVersion, allowed] of table.pairs)
  skew(`${component} ${version} beside ${other} ${otherVersion}: ${allowed}`, () => {
    const found = breaches([
      instance('h1', component, version),
      instance(hostOf(component, other), other, otherVersion),
    ]);
    assert.is(found.length === 0 ? 'yes' : 'no', allowed, found[0]?.message);
  });

for (const [text, expected] of Object.entries(table.versions))
  skew(`"${text}" is ${expected ?? 'no version'}`, () => assert.is(lenientRelease(text)?.text ?? null, expected));

skew('releases compare as semver has it', () => {
  const shuffled = [...table.order].reverse().map((text) => lenientRelease(text)!);
  assert.equal(
    shuffled.sort(compareReleases).map(({ text }) => text),
    table.order,
  );
});

for (const { name, verdict, problems = [], already = [], moments, ...roll } of table.rolls)
  skew(`a roll: ${name}`, () => {
    const found = judgeRoll({ running: [], order: [], to: 'v1.21.0', allowDowngrade: false, ...roll });
    assert.is(found.verdict, verdict, found.problems.join('\n'));
    matchAll(found.problems, problems);
    matchAll(found.already, already);
    if (moments !== undefined) assert.is(found.moments, moments);
  });

skew('there are at least forty rows of the policy', () => assert.ok(table.pairs.length >= 40));

skew.run();

function instance(host: string, component: SkewComponent, text: string): Instance {
  return { host, component, release: lenientRelease(text)! };
}

/** What asks the apiserver or the kubelet beside it is of the same host. */
function hostOf(component: SkewComponent, other: SkewComponent): string {
  return component === other ? 'h2' : 'h1';
}

function matchAll(found: string[], expected: string[]) {
  assert.is(found.length, expected.length, found.join('\n'));
  for (const [at, text] of expected.entries()) assert.match(found[at]!, new RegExp(text.slice(1, -1)));
}
