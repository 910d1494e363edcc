import type { Gate } from '../core/gate.ts';
import type { ParamSpecs } from '../core/params.ts';
import { certificatesValidGate } from './certificates_valid.ts';
import { cfsslOnlineGate } from './cfssl_online.ts';
import { commandGate } from './command.ts';
import { etcdHealthyGate } from './etcd_healthy.ts';
import { httpGate } from './http.ts';
import { kubeApiserverOnlineGate } from './kube_apiserver_online.ts';
import { kubeLeadingGate } from './kube_leading.ts';
import { nodeOnlineGate } from './node_online.ts';
import { nodeRegisteredGate } from './node_registered.ts';
import { nodeUpgradedGate } from './node_upgraded.ts';
import { tcpGate } from './tcp.ts';
import { unitOnlineGate } from './unit_online.ts';

/** A gate of any parameters, as the executor sees it: it hands over what coercion made of them. */
export type AnyGate = Gate<ParamSpecs>;

/** Every gate, in alphabetical order, one line each. */
export const gates: readonly AnyGate[] = [
  certificatesValidGate,
  cfsslOnlineGate,
  commandGate,
  etcdHealthyGate,
  httpGate,
  kubeApiserverOnlineGate,
  kubeLeadingGate,
  nodeOnlineGate,
  nodeRegisteredGate,
  nodeUpgradedGate,
  tcpGate,
  unitOnlineGate,
] as readonly unknown[] as readonly AnyGate[];

const byName = new Map(gates.map((gate) => [gate.name, gate] as const));

export function findGate(name: string): AnyGate | undefined {
  return byName.get(name);
}

export function gateNames(): string[] {
  return [...byName.keys()];
}
