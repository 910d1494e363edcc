import { join } from 'node:path';
import type { ClusterSettings } from './cluster.ts';

/** The seed's own runtime and network; flanneld is a stand-in (see the file). */
export const flannelOnDocker: ClusterSettings = {
  vars: {
    kube_runtime: 'docker',
    kube_cni: 'flannel',
    kube_flannel: { src: join(import.meta.dirname, '../files/flanneld') },
  },
};
