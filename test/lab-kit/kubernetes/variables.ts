import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildDir, version } from './build.ts';
import { pauseImage, webImage } from './images.ts';

/**
 * What playbooks/cluster.yaml must be told on the lab's hosts: where Kubernetes is, networks that are the lab's own,
 * and to leave the machine's connection tracking alone. Empty before Kubernetes is built.
 */
export function clusterVariables(networks: { pods: string; services: string }): Record<string, unknown> {
  const dir = buildDir();
  const image = (name: string) => join(dir, 'images', `${name}.tar`);
  if (!existsSync(image('web'))) return {};
  return {
    kube_version: version,
    kube_binaries: { src: join(dir, version) },
    kube_pause_image: pauseImage,
    kube_images: [
      { src: image('pause'), name: pauseImage },
      { src: image('web'), name: webImage },
    ],
    kube_pod_cidr: networks.pods,
    kube_service_cidr: networks.services,
    kube_proxy_conntrack: { max_per_core: 0, close_wait: '0s', established: '0s' },
  };
}
