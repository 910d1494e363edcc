import type { Component, Row } from './rows.ts';

/**
 * What controller manager and scheduler have alike. Their secure ports came with 1.12 (kubernetes#64149) and 1.13
 * (kubernetes#69663).
 */
function serving(secureSince: string): Row[] {
  return [
    { in: 'flag', name: 'kubeconfig', from: 'kubeconfig', source: '-' },
    {
      ...{ in: 'flag', name: 'address', is: '127.0.0.1', until: secureSince },
      source: `before ${secureSince} health and metrics are served without TLS alone: for this host only`,
    },
    {
      ...{ in: 'flag', name: 'port', is: 0, since: secureSince, until: '1.23' },
      source: '1.23 no longer serves without TLS; 1.24 removed it',
    },
    { in: 'flag', name: 'bind-address', is: '127.0.0.1', since: secureSince, source: `${secureSince} serves with TLS` },
    {
      ...{ in: 'flag', name: 'authentication-kubeconfig', from: 'kubeconfig', since: secureSince },
      source: `${secureSince} brought it`,
    },
    {
      ...{ in: 'flag', name: 'authorization-kubeconfig', from: 'kubeconfig', since: secureSince },
      source: `${secureSince} brought it`,
    },
    { in: 'flag', name: 'leader-elect', is: true, source: '-' },
  ];
}

const ended = [
  { flag: 'address', at: '1.24', instead: '--bind-address' },
  { flag: 'port', at: '1.24', instead: '--secure-port' },
  { flag: 'logtostderr', at: '1.26', instead: 'nothing: it logs to stderr' },
];

export const controllerManager: Component = {
  rows: [
    ...serving('1.12'),
    { in: 'flag', name: 'allocate-node-cidrs', is: true, source: '-' },
    { in: 'flag', name: 'cluster-cidr', from: 'pod_cidr', source: '-' },
    { in: 'flag', name: 'service-cluster-ip-range', from: 'service_cidr', source: '-' },
    { in: 'flag', name: 'node-cidr-mask-size', from: 'node_cidr_mask', source: '-' },
    { in: 'flag', name: 'node-monitor-grace-period', from: 'node_grace', source: '- (40s; 50s since 1.32)' },
    { in: 'flag', name: 'root-ca-file', from: 'ca', source: '-' },
    { in: 'flag', name: 'service-account-private-key-file', from: 'service_account_key', source: '-' },
    { in: 'flag', name: 'use-service-account-credentials', is: true, source: '-' },
    { in: 'flag', name: 'v', from: 'verbosity', source: '-' },
  ],
  ended: [
    ...ended,
    { flag: 'experimental-cluster-signing-duration', at: '1.25', instead: '--cluster-signing-duration' },
    { flag: 'deleting-pods-qps', at: '1.25', instead: 'nothing' },
    { flag: 'register-retry-count', at: '1.25', instead: 'nothing' },
    { flag: 'pod-eviction-timeout', at: '1.27', instead: 'tolerationSeconds of pods' },
    { flag: 'enable-taint-manager', at: '1.27', instead: 'nothing: it always does' },
  ],
};

export const scheduler: Component = {
  rows: [...serving('1.13'), { in: 'flag', name: 'v', from: 'verbosity', source: '-' }],
  ended: [
    ...ended,
    { flag: 'algorithm-provider', at: '1.23', instead: 'a configuration file' },
    { flag: 'policy-config-file', at: '1.23', instead: 'a configuration file' },
  ],
};
