import { webImage } from '../../lab-kit/kubernetes/images.ts';
import { type Cluster, until } from './cluster.ts';

/** One pod of the web image on every node, and a service over them. */
export async function deployWeb(cluster: Cluster, nodes: string[]): Promise<void> {
  const items = [...nodes.map(pod), service];
  await cluster.kubectl('apply -f -', undefined, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
}

/** Waits until the pods run; their addresses by node. */
export async function podAddresses(cluster: Cluster, nodes: string[], seconds = 60): Promise<Record<string, string>> {
  let found: Record<string, string> = {};
  await until(seconds, async () => {
    const { items } = JSON.parse(await cluster.kubectl('get pods -l app=web -o json')) as PodList;
    const running = items.filter(({ status }) => status.phase === 'Running' && status.podIP);
    found = Object.fromEntries(running.map((each) => [each.spec.nodeName, each.status.podIP!]));
    return running.length === nodes.length ? undefined : `${running.length} of ${nodes.length} pods run`;
  });
  return found;
}

/** Who answers at the service's address, asked from a host until all pods have, for half a minute at most. */
export async function servedBy(cluster: Cluster, host: string): Promise<string[]> {
  const address = await cluster.kubectl("get service web -o jsonpath='{.spec.clusterIP}'");
  const found = new Set<string>();
  await until(30, async () => {
    const { stdout } = await cluster.lab.exec(host, `curl -s -m 3 http://${address}/`);
    if (stdout) found.add(stdout.trim());
    return found.size > 1 ? undefined : `${[...found].join(', ') || 'nobody'} answers at ${address}`;
  }).catch(() => 0);
  return [...found].sort();
}

interface PodList {
  items: { spec: { nodeName: string }; status: { phase: string; podIP?: string } }[];
}

function pod(node: string) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `web-${node}`, labels: { app: 'web' } },
    spec: {
      nodeName: node,
      terminationGracePeriodSeconds: 1,
      containers: [{ name: 'web', image: webImage, imagePullPolicy: 'Never', ports: [{ containerPort: 8080 }] }],
    },
  };
}

const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
};
