import { webImage } from '../../lab-kit/kubernetes/images.ts';
import { type Cluster, until } from './cluster.ts';

export const nodePort = 30080;

/** Three replicas behind a budget and a NodePort. The image has no sleep, so the machine's own is lent to it. */
export async function deployWorkload(cluster: Cluster, options: { endsAtOnce?: boolean } = {}): Promise<void> {
  const items = workload(options.endsAtOnce ? {} : slowEnd);
  await cluster.kubectl('apply -f -', undefined, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  await until(120, async () => {
    const ready = await cluster.kubectl("get deployment web -o jsonpath='{.status.readyReplicas}'");
    return ready === '3' ? undefined : `${ready || 0} of 3 replicas are ready`;
  });
}

export async function setBudget(cluster: Cluster, maxUnavailable: number): Promise<void> {
  await cluster.kubectl(`patch pdb web -p '${JSON.stringify({ spec: { maxUnavailable } })}'`);
  // The budget counts for what its controller has made of it.
  await until(30, async () => {
    const allowed = await cluster.kubectl("get pdb web -o jsonpath='{.status.disruptionsAllowed}'");
    return allowed === String(maxUnavailable) ? undefined : `the budget allows ${allowed}`;
  });
}

/** One request: when it was sent (milliseconds), through which node, what it answered, after how many seconds. */
export interface Request {
  time: number;
  node: string;
  status: number;
  seconds: number;
}

/** Asks every node's NodePort twice a second from a host outside the cluster, until `stop`. */
export function poll(cluster: Cluster, from: string, nodes: string[]): { stop(): Promise<Request[]> } {
  const address = (name: string) => cluster.lab.hosts.find((host) => host.name === name)!.address;
  const ask = nodes.map(
    (node) =>
      `(set -- $EPOCHREALTIME; echo "$1 ${node} $(curl -s -m 3 -o /dev/null -w '%{http_code} %{time_total}' http://${address(node)}:${nodePort}/)") &`,
  );
  const child = cluster.lab.spawn(from, `bash -c '${script(ask).replaceAll("'", "'\\''")}'`);
  let text = '';
  child.stdout!.setEncoding('utf8').on('data', (part: string) => (text += part));
  const ended = new Promise((resolve) => child.on('close', resolve));
  return {
    stop: async () => {
      await cluster.lab.exec(from, 'touch /tmp/enough');
      await ended;
      return text.trim().split('\n').map(requestOf);
    },
  };
}

function script(ask: string[]): string {
  return `rm -f /tmp/enough; until [ -e /tmp/enough ]; do ${ask.join(' ')} sleep 0.5; done; wait`;
}

function requestOf(line: string): Request {
  const [time, node, status, seconds] = line.split(' ');
  return { time: Number(time) * 1000, node: node!, status: Number(status), seconds: Number(seconds) };
}

const labels = { app: 'web' };
const lent = [
  ['/usr/bin', '/usr/bin'],
  ['/usr/lib', '/lib'],
  ['/usr/lib64', '/lib64'],
] as const;

const container = {
  name: 'web',
  image: webImage,
  imagePullPolicy: 'Never',
  ports: [{ containerPort: 8080 }],
  readinessProbe: { httpGet: { port: 8080 }, periodSeconds: 1 },
  volumeMounts: lent.map(([, mountPath], at) => ({ name: `lent${at}`, mountPath, readOnly: true })),
};

/** So that whoever still has the old endpoints finds it there. */
const slowEnd = { lifecycle: { preStop: { exec: { command: ['/usr/bin/sleep', '5'] } } } };

const workload = (ending: object) => [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: 15,
          containers: [{ ...container, ...ending }],
          volumes: lent.map(([path], at) => ({ name: `lent${at}`, hostPath: { path } })),
        },
      },
    },
  },
  {
    apiVersion: 'policy/v1beta1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web' },
    spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { type: 'NodePort', selector: labels, ports: [{ port: 80, targetPort: 8080, nodePort }] },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'everywhere' },
    spec: {
      selector: { matchLabels: { app: 'everywhere' } },
      template: {
        metadata: { labels: { app: 'everywhere' } },
        spec: { containers: [{ name: 'web', image: webImage, imagePullPolicy: 'Never' }] },
      },
    },
  },
];
