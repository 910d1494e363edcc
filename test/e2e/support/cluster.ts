import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { Lab, LabError } from '../../lab-kit/index.ts';
import { kubernetesBuild } from '../../lab-kit/kubernetes/build.ts';
import { labImages } from '../../lab-kit/kubernetes/images.ts';
import { tempFolder } from '../../support/temp.ts';

/** How a run of kpush ended; `output` is both streams in the order they came. */
export interface Run {
  code: number | null;
  stdout: string;
  output: string;
  seconds: number;
}

/** Variables for all hosts, and the groups: h1 is the control plane and the others are nodes unless told otherwise. */
export interface ClusterSettings {
  vars?: Record<string, unknown>;
  groups?: Partial<Record<'pki' | 'etcd' | 'control_plane' | 'nodes', string[]>>;
  hostVars?: Record<string, Record<string, unknown>>;
}

/** A lab and what kpush does to it. */
export class Cluster {
  readonly dir: string;

  constructor(
    readonly lab: Lab,
    readonly settings: ClusterSettings = {},
  ) {
    this.dir = tempFolder('cluster');
    process.on('exit', () => rmSync(this.dir, { recursive: true, force: true }));
  }

  /** kpush with this inventory, its record in `dir`; `vars` win over the cluster's own. */
  async kpush(args: string[], options: { vars?: Record<string, unknown>; signal?: AbortSignal } = {}): Promise<Run> {
    const inventory = this.inventory(options.vars ?? {});
    const [verb, ...rest] = args;
    return this.plain([verb!, '-i', inventory, ...rest], options);
  }

  /** kpush as it is told, without an inventory, its record in `dir`. The signal kills it (-9). */
  async plain(args: string[], options: { signal?: AbortSignal } = {}): Promise<Run> {
    const env = { ...process.env, KPUSH_HOME: this.dir, XDG_STATE_HOME: this.dir };
    const program = join(import.meta.dirname, '../../../bin/kpush');
    return run(program, args, { env, cwd: this.dir, signal: options.signal });
  }

  /** The default playbook, applied; throws with what kpush said when it fails. */
  async apply(vars: Record<string, unknown> = {}): Promise<Run> {
    const done = await this.kpush(['apply', '--yes'], { vars });
    if (done.code !== 0) throw new LabError(`kpush apply ended with ${done.code}`, done.output.slice(-6000));
    return done;
  }

  /** kubectl with the admin's kubeconfig on a control plane; its standard output. */
  async kubectl(words: string, on = this.settings.groups?.control_plane?.[0] ?? 'h1', input?: string): Promise<string> {
    const command = `PATH=/usr/local/bin:/opt/bin:$PATH kubectl --kubeconfig /etc/kubernetes/admin.conf ${words}`;
    return this.lab.sh(on, command, { timeoutMs: 120_000, ...(input === undefined ? {} : { input }) });
  }

  /** Name → whether it is Ready, as the API says. */
  async nodes(on?: string): Promise<Record<string, boolean>> {
    const { items } = JSON.parse(await this.kubectl('get nodes -o json', on)) as NodeList;
    const ready = (node: NodeList['items'][number]) =>
      node.status.conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
    return Object.fromEntries(items.map((node) => [node.metadata.name, ready(node)]));
  }

  /** Waits until all nodes are Ready; returns the seconds it took. */
  async untilReady(count: number, seconds: number, on?: string): Promise<number> {
    return until(seconds, async () => {
      const nodes = await this.nodes(on);
      const ready = Object.values(nodes).filter(Boolean).length;
      return ready === count ? undefined : `${ready} of ${count} nodes are Ready: ${JSON.stringify(nodes)}`;
    });
  }

  /** Undefined once a machine has booted as far as kubernetes.target; else what it waits for. */
  async reached(host: string): Promise<string | undefined> {
    const { stdout } = await this.lab.exec(
      host,
      'systemctl is-active kubernetes.target; systemctl list-jobs --no-legend',
    );
    return stdout.startsWith('active') ? undefined : `${host}: ${stdout}`;
  }

  private inventory(vars: Record<string, unknown>): string {
    const base = parse(readFileSync(this.lab.inventoryPath, 'utf8')) as Inventory;
    Object.assign(base.all.vars, this.settings.vars, vars);
    for (const [name, hosts] of Object.entries(this.settings.groups ?? {}))
      base.all.children[name] = { hosts: Object.fromEntries(hosts.map((host) => [host, {}])) };
    for (const [host, own] of Object.entries(this.settings.hostVars ?? {})) Object.assign(base.all.hosts[host]!, own);
    const path = join(this.dir, 'inventory.yaml');
    writeFileSync(path, stringify(base, { lineWidth: 0 }));
    return path;
  }
}

interface Inventory {
  all: {
    vars: Record<string, unknown>;
    hosts: Record<string, Record<string, unknown>>;
    children: Record<string, { hosts: Record<string, unknown> }>;
  };
}

interface NodeList {
  items: { metadata: { name: string }; status: { conditions: { type: string; status: string }[] } }[];
}

/** Everything a cluster is made of, built or cached; to be called before a lab boots, whose inventory names it. */
export async function materials(): Promise<void> {
  await labImages(await kubernetesBuild((line) => console.error(`lab: ${line}`)));
}

/** The Ready cluster that the test files of a run share, as it was when it became Ready. */
export async function readyCluster(name = 'cluster', settings: ClusterSettings = {}): Promise<Cluster> {
  await materials();
  const prepare = async (lab: Lab) => void (await new Cluster(lab, settings).apply());
  const cluster = new Cluster(await Lab.shared(name, { hosts: 3, base: 'kube' }, prepare), settings);
  // A snapshot is of disks: its hosts have just booted.
  for (const host of cluster.lab.hosts) await until(300, () => cluster.reached(host.name));
  return cluster;
}

/** Polls three times a second until `check` has nothing to say; throws with its last words after `seconds`. */
export async function until(seconds: number, check: () => Promise<string | undefined>): Promise<number> {
  const start = performance.now();
  for (;;) {
    const said = await check().catch((error: Error) => error.message);
    const spent = (performance.now() - start) / 1000;
    if (said === undefined) return spent;
    if (spent > seconds) throw new LabError(`not within ${seconds} s: ${said}`);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

interface Running {
  env: NodeJS.ProcessEnv;
  cwd: string;
  signal: AbortSignal | undefined;
}

function run(program: string, args: string[], { env, cwd, signal }: Running): Promise<Run> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env,
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(signal ? { signal, killSignal: 'SIGKILL' } : {}),
    });
    let [stdout, output] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', (error) => (signal?.aborted ? undefined : reject(error)));
    child.on('close', (code) => resolve({ code, stdout, output, seconds: (performance.now() - start) / 1000 }));
  });
}
