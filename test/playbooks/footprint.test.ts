import * as assert from 'uvu/assert';
import { suite } from '../support/harness.ts';
import { type PaperPlan, planCluster } from './support/plan-cluster.ts';

/** What reset takes away is what the roles put there: planned on paper, in every way to build a machine. */
const prints = suite('footprint on paper', { timeout: 120_000 });

const system = {
  hasPackages: true,
  units: ['containerd.service', 'docker.service', 'etcd.service', 'haproxy.service'],
};
const note = 'What was here before kpush is noted';
const ways: Record<string, Record<string, unknown>> = {
  'containerd and bridge': { kube_dns_image: 'dns:1', kube_images: [{ name: 'a:1', src: '/dev/null' }] },
  'docker and flannel': {
    kube_runtime: 'docker',
    kube_cni: 'flannel',
    kube_flannel: { url: 'https://example.net/flanneld', sha256: 'ab'.repeat(32) },
  },
  'plugins from the net': { kube_cni_plugins: { url: 'https://example.net/cni.tgz', sha256: 'ab'.repeat(32) } },
  certmgr: { kube_certmgr: '/dev/null' },
};

for (const [way, vars] of Object.entries(ways))
  prints(`${way}: every path that a plan writes is named`, async () => {
    const plan = await planCluster({
      hosts: { h1: { ...system, machineId: 'a'.repeat(32) }, h2: { ...system, machineId: 'b'.repeat(32) } },
      groups: { pki: ['h1'], etcd: ['h1'], control_plane: ['h1', 'h2'], nodes: ['h1', 'h2'] },
      vars,
    });
    for (const host of ['h1', 'h2']) {
      const declared = declaredOn(plan, host);
      const written = writtenOn(plan, host);
      assert.ok(written.length > 50, `${host}: only ${written.length} paths`);
      assert.equal(
        written.filter((path) => !declared.some((one) => one.test(path))),
        [],
      );
    }
  });

/** Paths of the task that notes them, as patterns: a tree stands for all below it. */
function declaredOn(plan: PaperPlan, host: string): RegExp[] {
  const task = plan.tasks.find((one) => one.host === host && one.name.endsWith(note));
  const named = task?.result as Record<'files' | 'trees' | 'folders', string[]>;
  const exact = [...named.files, ...named.folders].map((path) => new RegExp(`^${source(path)}$`));
  return [...exact, ...named.trees.map((path) => new RegExp(`^${source(path)}(/.*)?$`))];
}

function source(path: string): string {
  return path.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*');
}

function writtenOn(plan: PaperPlan, host: string): string[] {
  const steps = plan.tasks
    .filter((task) => task.host === host && !task.name.endsWith(note))
    .flatMap((task) => task.steps);
  return steps
    .flatMap(({ diff }) => diff ?? [])
    .flatMap((diff) =>
      diff.kind === 'text' || diff.kind === 'bytes'
        ? [diff.path]
        : diff.kind === 'fields' && diff.subject.startsWith('/')
          ? [diff.subject]
          : [],
    );
}

prints.run();
