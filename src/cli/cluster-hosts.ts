import { inputError } from '../core/errors.ts';
import { nearest } from '../core/nearest.ts';
import type { RunOptions } from '../core/options.ts';
import { readOffline } from './offline.ts';

export interface ClusterHosts {
  /** Every machine of the cluster's groups. */
  all: string[];
  /** Those that are nodes and nothing else. */
  workers: string[];
}

const names = ['pki', 'etcd', 'control_plane', 'nodes'] as const;

/** Machines of the cluster as the inventory has them. */
export function clusterHosts({ inventories, extraVars }: RunOptions, cwd: string): ClusterHosts {
  const { inventory } = readOffline({ inventories, extraVars, cwd });
  const of = (name: string) => [...(inventory.groups.get(name)?.hosts ?? [])];
  const others = new Set(['pki', 'etcd', 'control_plane'].flatMap(of));
  return {
    all: [...new Set(names.flatMap(of))],
    workers: of('nodes').filter((host) => !others.has(host)),
  };
}

/** Throws unless each is the name of a machine of the cluster: a pattern that matches more than was meant costs machines. */
export function exactly(given: readonly string[], hosts: readonly string[]): string[] {
  const wrong = given.find((name) => !hosts.includes(name));
  if (wrong === undefined) return [...new Set(given)];
  const close = nearest(wrong, hosts);
  throw inputError(`${wrong} is no machine of the cluster`, {
    expected: 'names of machines in the groups pki, etcd, control_plane or nodes, without patterns',
    ...(close ? { nearest: close } : {}),
  });
}
