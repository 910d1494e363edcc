import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { components, renderFlags } from '../../src/kubernetes/render.ts';
import type { Settings } from '../../src/kubernetes/rows.ts';
import { kubernetesBuild, type Program, version } from '../lab-kit/kubernetes/build.ts';
import { suite } from '../support/harness.ts';

const run = promisify(execFile);
const flags = suite('flags of the real programs', { timeout: 1_800_000 });
const goldens = parse(readFileSync(join(import.meta.dirname, '../unit/kubernetes/goldens.yaml'), 'utf8'), {
  merge: true,
}) as {
  component: Program;
  name: string;
  settings: Settings;
}[];

for (const { component, name, settings } of goldens)
  flags(`${component} of ${version} takes its command line: ${name}`, async () => {
    assert.is(await versionWith(component, renderFlags(component, version, settings)), `Kubernetes ${version}`);
  });

flags('a program refuses a flag that it does not have, so the above can fail', async () => {
  const refused = await versionWith('kube-scheduler', ['--no-such-flag=1']).catch((error: Error) => error.message);
  assert.match(String(refused), /unknown flag/);
});

flags('flags that the tables call ended by then are refused, and the others are taken', async () => {
  for (const [component, { ended }] of Object.entries(components))
    for (const { flag, at } of ended) {
      const gone = Number(at.split('.')[1]) <= Number(version.split('.')[1]);
      const taken = await versionWith(component as Program, [`--${flag}=1`]).then(
        (said) => said === `Kubernetes ${version}`,
        (error: Error) => !/unknown flag/.test(error.message),
      );
      assert.is(taken, !gone, `${component} --${flag}`);
    }
});

async function versionWith(component: Program, args: string[]): Promise<string> {
  const { stdout } = await run(await program(component), [...args, '--version'], { timeout: 60_000 });
  return stdout.trim();
}

async function program(name: Program): Promise<string> {
  return (await kubernetesBuild((line) => console.error(`lab: ${line}`))).program(name);
}

flags.run();
