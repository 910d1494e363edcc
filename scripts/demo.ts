// `npm run demo`: bare machines become a Kubernetes cluster, and stay one. First a small playbook in two waves with a
// gate between them (`-- --quick` shows only that), then playbooks/cluster.yaml, a pod that answers, a second apply
// that changes nothing, and what a changed flag of the kubelet would change. Everything it boots is gone afterwards,
// also when it is interrupted or killed; what it builds is cached for the next time.
import { spawn } from 'node:child_process';
import { Lab } from '../test/lab-kit/index.ts';
import { type KubernetesBuild, kubernetesBuild, version } from '../test/lab-kit/kubernetes/build.ts';
import { labImages, webImage } from '../test/lab-kit/kubernetes/images.ts';

const words = process.argv.slice(2);
const unknown = words.filter((word) => word !== '--quick');
if (unknown.length > 0) {
  console.error(`error: ${unknown.join(' ')}: npm run demo takes nothing but -- --quick`);
  process.exit(1);
}
process.on('SIGINT', () => {}); // kpush itself tells what an interrupt does; the machines go down below
const begin = performance.now();
await prepare();
if (!words.includes('--quick')) await cluster();
say(`That was all, in ${minutes((performance.now() - begin) / 1000)}`);

/** Two waves and a gate, on machines that have nothing. */
async function prepare() {
  say('Three bare Debian machines with systemd and sshd, without Python');
  await withLab({ base: 'plain' }, async (lab) => {
    const playbook = 'playbooks/prepare.yaml';
    await kpush(lab, 'What would change? Nothing is written for this', 'plan', playbook, '--diff');
    await kpush(lab, 'Change it: the control plane, its gate, then the nodes', 'apply', playbook, '--yes');
    await kpush(lab, 'Again: nothing to change', 'apply', playbook, '--yes');
    await kpush(lab, 'And by hand, on all hosts', 'exec', 'all', '--', 'systemctl is-active host-prepared.service');
  });
}

/** The whole cluster: h1 is its control plane, h2 and h3 carry pods. */
async function cluster() {
  say(
    `Kubernetes ${version}: built once from Debian's source package (a quarter of an hour on two cores), then cached`,
  );
  const build = await kubernetesBuild((line) => console.log(`  ${line}`));
  const { hyperkubeScript } = await labImages(build);
  say('Three machines again, bare but for the Debian packages that Kubernetes needs');
  await withLab({ base: 'kube' }, async (lab) => {
    const start = performance.now();
    const hyperkube = JSON.stringify({ kube_hyperkube: { source: hyperkubeScript } });
    const given = ['-e', hyperkube];
    await kpush(lab, 'The cluster, kubelet and kubectl out of a hyperkube image', 'apply', '--yes', ...given);
    say(`From bare to Ready in ${minutes((performance.now() - start) / 1000)}`);
    await useIt(lab, build);
    await kpush(lab, 'Again: nothing to change', 'apply', '--yes', ...given);
    const flag = ['-e', '{"kube_kubelet_flags": {"v": 4}}'];
    await kpush(lab, 'What would another flag of the kubelet change?', 'plan', '--diff', ...given, ...flag);
  });
}

/** A pod on a worker, from an image that was built here, asked from the other worker. */
async function useIt(lab: Lab, build: KubernetesBuild) {
  const file = `${lab.dir}/kubeconfig`;
  await kpush(lab, "The admin's kubeconfig, for this machine", 'kubeconfig', file);
  const kubectl = (...args: string[]) => run(build.program('kubectl'), ['--kubeconfig', file, ...args]);
  await kubectl('get', 'nodes', '-o', 'wide');
  say('A pod on h2, from an image that was built here; h3 asks it');
  const spec = { nodeName: 'h2', containers: [{ name: 'web', image: webImage, imagePullPolicy: 'Never' }] };
  await kubectl(
    'run',
    'web',
    '--image',
    webImage,
    '--restart=Never',
    '--overrides',
    JSON.stringify({ apiVersion: 'v1', spec }),
  );
  await kubectl('wait', '--for=condition=Ready', '--timeout=120s', 'pod/web');
  const address = await lab.sh(
    'h1',
    "kubectl --kubeconfig /etc/kubernetes/admin.conf get pod web -o jsonpath='{.status.podIP}'",
  );
  const answer = await lab.sh('h3', `curl -s -m 5 http://${address}:8080/`);
  console.log(`  h3 $ curl http://${address}:8080/\n  ${answer}`);
  if (!answer.includes('web')) throw new Error(`the pod answered ${JSON.stringify(answer)}`);
}

async function withLab({ base }: { base: 'plain' | 'kube' }, use: (lab: Lab) => Promise<void>) {
  const lab = await Lab.up({ hosts: 3, base, say: (text) => console.log(`  ${text}`) });
  try {
    await use(lab);
  } finally {
    say('Taking the machines down');
    await lab.down();
  }
}

async function kpush(lab: Lab, title: string, verb: string, ...args: string[]) {
  say(`${title}\n  $ kpush ${verb} -i ${lab.inventoryPath} ${args.join(' ')}`);
  await run('bin/kpush', [verb, '-i', lab.inventoryPath, ...args]);
}

async function run(program: string, args: string[]) {
  const child = spawn(program, args, { stdio: 'inherit' });
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code === 0) return;
  process.exitCode = 1;
  throw new Error(`${program} ${args[0]} ended with ${code}`);
}

function minutes(seconds: number): string {
  return seconds < 60 ? `${Math.round(seconds)} s` : `${Math.floor(seconds / 60)} m ${Math.round(seconds % 60)} s`;
}

function say(text: string) {
  console.log(`\n\x1b[1m── ${text}\x1b[0m`);
}
