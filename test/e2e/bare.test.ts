import * as assert from 'uvu/assert';
import { Lab } from '../lab-kit/index.ts';
import { note, suite } from '../support/harness.ts';
import { Cluster, materials } from './support/cluster.ts';

/** Machines without any of the packages that Kubernetes needs: what a user's fresh Debian machines are. */
const bare = suite('truly bare hosts', { timeout: 900_000 });
let cluster: Cluster;

bare('become a Ready cluster, packages from the archive included; the time is told', async () => {
  await materials();
  cluster = new Cluster(await Lab.up({ hosts: 3 }));
  const { seconds, output } = await cluster.apply();
  assert.equal(await cluster.nodes(), { h2: true, h3: true });
  assert.match(output, /[0-9.]+ s {2}wave \d+: Dependencies/);
  note(`truly bare hosts were Ready after ${Math.round(seconds)} s`);
});

bare('and a second run changes nothing', async () => {
  const again = await cluster.kpush(['apply', '--yes']);
  assert.match(again.output, /nothing changed/);
});

bare('the lab is left', async () => {
  await cluster?.lab.down();
});

bare.run();
