import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { Lab } from '../lab-kit/index.ts';
import { kubernetesBuild, patchedVersion, version } from '../lab-kit/kubernetes/build.ts';
import { type LabImages, labImages, writeImage } from '../lab-kit/kubernetes/images.ts';
import { suite } from '../support/harness.ts';
import { Cluster, type Run, until } from './support/cluster.ts';

const extraction = suite('extraction', { timeout: 600_000 });
const bin = '/usr/local/bin';
let host: Cluster;
let images: LabImages;
let patched: string;

extraction('a real-binaries image whose /hyperkube is a script gives kubelet and kubectl', async () => {
  const build = await kubernetesBuild((line) => console.error(`lab: ${line}`));
  images = await labImages(build);
  host = new Cluster(await Lab.up({ hosts: 1, base: 'kube' }));
  patched = join(host.dir, 'patched.tar');
  const programs = (['kubelet', 'kubectl'] as const).map((name) => ({
    ...{ path: `usr/local/bin/${name}`, file: build.program(name, patchedVersion), mode: 0o755 },
  }));
  await writeImage(patched, {
    name: 'local/hyperkube:patched',
    entrypoint: ['/hyperkube'],
    layers: [programs],
    form: 'oci',
  });
  await installs(images.hyperkubeScript);
});

for (const damage of ['missing', 'corrupt', 'not executable', 'another version'])
  for (const program of ['kubelet', 'kubectl'])
    extraction(`${program} ${damage}: both are extracted again, and then nothing is changed`, async () => {
      await harm(program, damage);
      await installs(images.hyperkubeScript);
    });

extraction('one Go program for all is installed under both names', async () => {
  await installs(images.hyperkube);
  assert.is(await host.lab.sh('h1', `cmp ${bin}/kubelet ${bin}/kubectl && echo same`), 'same');
});

extraction('a running kubelet is replaced by the next release without "text file busy"', async () => {
  // Stopped before it is done, it holds its file for as long as the test needs; as a unit, so that nobody waits for it.
  const running = `until [ "$(readlink /proc/$!/exe)" = ${bin}/kubelet ]; do :; done`;
  const held = `${bin}/kubelet --version & ${running}; kill -STOP $!; wait`;
  await host.lab.sh('h1', ['systemd-run', '--quiet', '--unit=held', 'sh', '-c', held]);
  await until(10, async () => {
    const { stdout } = await host.lab.exec('h1', 'ps -C kubelet -o stat=');
    return stdout.startsWith('T') ? undefined : `the kubelet is ${stdout.trim() || 'gone'}`;
  });
  const busy = await host.lab.exec('h1', `cp /bin/true ${bin}/kubelet`);
  assert.match(busy.stderr, /[Tt]ext file busy/);
  await installs(patched, patchedVersion);
  await host.lab.sh('h1', 'systemctl kill --signal=KILL held.service');
});

extraction('kpush killed at any moment: the next run ends what was begun', async () => {
  for (const ms of [600, 1000, 1400, 1800, 2300, 2900, 3600]) {
    await host.lab.sh('h1', `rm -f ${bin}/kubelet`);
    await killedAfter(ms, images.hyperkubeScript);
    const files = await host.lab.sh(
      'h1',
      `for f in kubelet kubectl; do [ ! -e ${bin}/$f ] || ${bin}/$f ${'$'}([ $f = kubectl ] && echo 'version --client' || echo --version) >/dev/null && echo fine; done | sort -u`,
    );
    assert.is(files, 'fine', `after ${ms} ms a program that is there must be whole`);
  }
  await installs(images.hyperkubeScript);
});

extraction('a full disk fails, leaves the old programs as they are and nothing behind', async () => {
  await host.lab.sh('h1', 'mkdir -p /opt/small && mount -t tmpfs -o size=60M tmpfs /opt/small');
  const run = await hyperkube(images.hyperkubeScript, { bin_dir: '/opt/small' });
  assert.is(run.code, 2, run.output.slice(-2000));
  assert.match(run.output, /[Nn]o space left/);
  assert.is(await host.lab.sh('h1', 'ls -A /opt/small'), '');
});

extraction('a temporary folder on another file system, full and not executable, does not matter', async () => {
  await host.lab.sh('h1', 'mount -t tmpfs -o size=1M,noexec tmpfs /tmp && head -c 2M /dev/zero >/tmp/full || true');
  await host.lab.sh('h1', `rm ${bin}/kubectl`);
  await installs(images.hyperkubeScript);
  await host.lab.sh('h1', 'umount /tmp');
});

extraction('a registry is not asked for a release that upstream never published', async () => {
  const before = await host.lab.sh('h1', `stat -c %i ${bin}/kubelet`);
  const run = await hyperkube('k8s.gcr.io/hyperkube:v1.19.3', {}, 'v1.19.3');
  assert.is(run.code, 2, run.output);
  assert.match(run.output, /upstream published none from 1\.19 on/);
  assert.match(run.output, /kube_binaries/);
  assert.is(await host.lab.sh('h1', `stat -c %i ${bin}/kubelet`), before);
});

extraction('an image that holds another release than asked for is refused', async () => {
  const run = await hyperkube(images.hyperkubeScript, {}, 'v1.20.3');
  assert.is(run.code, 2, run.output);
  assert.match(run.output, /kubelet is not v1\.20\.3: Kubernetes v1\.20\.2/);
  assert.is(await host.lab.sh('h1', `${bin}/kubelet --version`), `Kubernetes ${version}`);
});

extraction('via the host: out of an image that its docker has, by the extraction unit too', async () => {
  await host.lab.sh('h1', 'systemctl start docker');
  await host.lab.sh('h1', 'docker load -q', { input: readFileSync(images.hyperkubeScript), timeoutMs: 120_000 });
  const extractor = join(import.meta.dirname, '../../playbooks/roles/units/files/kube-extract');
  await host.lab.sh('h1', `cat >${bin}/kube-extract && chmod 755 ${bin}/kube-extract; rm ${bin}/kubelet`, {
    input: readFileSync(extractor),
  });
  const run = await hyperkube(`local/hyperkube-script:${version}`, { via: 'host' });
  assert.is(run.code, 0, run.output);
  assert.is(await host.lab.sh('h1', `${bin}/kubelet --version`), `Kubernetes ${version}`);
  // The unit's own condition: either of the two is missing.
  await host.lab.sh(
    'h1',
    `rm ${bin}/kubectl && ${bin}/kube-extract local/hyperkube-script:${version} ${version} ${bin}`,
  );
  assert.match(await host.lab.sh('h1', `${bin}/kubectl version --client`), version);
});

extraction('via the host: an image that is not there is pulled first, and again after a failure', async () => {
  const image = `local/hyperkube-script:${version}`;
  await host.lab.sh('h1', `docker save ${image} -o /root/image.tar && docker rmi ${image} && rm ${bin}/kubelet`);
  // A registry in miniature: the first pull fails, the second brings the image.
  const docker = `#!/bin/sh\n[ "$1" = pull ] || exec /usr/bin/docker "$@"\n[ -e /root/tried ] && exec /usr/bin/docker load -q -i /root/image.tar\n: >/root/tried\necho 'connection reset' >&2\nexit 1\n`;
  await host.lab.sh('h1', `cat >${bin}/docker && chmod 755 ${bin}/docker`, { input: docker });
  const run = await hyperkube(image, { via: 'host' });
  assert.is(run.code, 0, run.output.slice(-2000));
  assert.is(await host.lab.sh('h1', `${bin}/kubelet --version`), `Kubernetes ${version}`);
  await host.lab.sh('h1', `docker rmi ${image}; rm -f /root/tried /root/image.tar ${bin}/kubelet`);
  const command = `KUBE_PULL_TRIES=2 ${bin}/kube-extract ${image} ${version} ${bin}`;
  const never = await host.lab.exec('h1', command);
  assert.is(never.code, 1);
  assert.match(never.stderr, /cannot pull local\/hyperkube-script.*/);
  assert.is(await host.lab.sh('h1', `ls -A ${bin} | grep -c extract. || true`), '0');
});

/** Extracts, checks both programs, and sees that a second run has nothing to do. */
async function installs(source: string, release = version) {
  const first = await hyperkube(source, {}, release);
  assert.is(first.code, 0, first.output.slice(-3000));
  assert.is(await host.lab.sh('h1', `${bin}/kubelet --version`), `Kubernetes ${release}`);
  assert.match(await host.lab.sh('h1', `${bin}/kubectl version --client`), release);
  assert.is(await host.lab.sh('h1', `ls -A ${bin} | grep -c kpush-new || true`), '0');
  const second = await hyperkube(source, {}, release);
  assert.match(second.output, /nothing changed/, second.output.slice(-2000));
}

async function harm(program: string, damage: string) {
  const path = `${bin}/${program}`;
  const commands: Record<string, string> = {
    missing: `rm ${path}`,
    corrupt: `cp ${path} ${path}.x && printf x | dd of=${path}.x bs=1 seek=5000 conv=notrunc status=none && mv ${path}.x ${path}`,
    'not executable': `chmod 0644 ${path}`,
    'another version': `printf '#!/bin/sh\\necho Kubernetes v1.19.0\\n' >${path}.x && chmod 755 ${path}.x && mv ${path}.x ${path}`,
  };
  await host.lab.sh('h1', commands[damage]!);
}

function playbook(source: string, more: object, release: string): string {
  const path = join(host.dir, 'extract.yaml');
  const task = { hyperkube: { source, version: release, bin_dir: bin, ...more } };
  writeFileSync(path, JSON.stringify([{ hosts: 'h1', gather_facts: false, tasks: [task] }]));
  return path;
}

function hyperkube(source: string, more: object = {}, release = version): Promise<Run> {
  return host.kpush(['apply', '--yes', playbook(source, more, release)]);
}

async function killedAfter(ms: number, source: string) {
  const inventory = join(host.dir, 'inventory.yaml');
  assert.ok(existsSync(inventory));
  const kpush = join(import.meta.dirname, '../../bin/kpush');
  const child = spawn(kpush, ['apply', '--yes', '-i', inventory, playbook(source, {}, version)], { stdio: 'ignore' });
  await new Promise((resolve) => setTimeout(resolve, ms));
  child.kill('SIGKILL');
  // What must finish finishes; nothing else goes on for long.
  await new Promise((resolve) => setTimeout(resolve, 6000));
}

extraction.run();
