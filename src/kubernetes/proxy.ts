import type { Component } from './rows.ts';

export const proxy: Component = {
  file: { apiVersion: 'kubeproxy.config.k8s.io/v1alpha1', kind: 'KubeProxyConfiguration' },
  rows: [
    { in: 'flag', name: 'config', from: 'config_file', source: '-' },
    { in: 'flag', name: 'hostname-override', from: 'hostname', source: '-' },
    { in: 'flag', name: 'v', from: 'verbosity', source: '-' },
    { in: 'file', name: 'clientConnection.kubeconfig', from: 'kubeconfig', source: '-' },
    { in: 'file', name: 'clusterCIDR', from: 'pod_cidr', source: '-' },
    { in: 'file', name: 'mode', from: 'mode', source: '- (nftables: 1.29 alpha, 1.31 beta, 1.33 stable)' },
    { in: 'file', name: 'conntrack.maxPerCore', from: 'conntrack.max_per_core', as: 'number', source: '-' },
    { in: 'file', name: 'conntrack.tcpCloseWaitTimeout', from: 'conntrack.close_wait', source: '-' },
    { in: 'file', name: 'conntrack.tcpEstablishedTimeout', from: 'conntrack.established', source: '-' },
  ],
  ended: [
    { flag: 'resource-container', at: '1.16', instead: 'the slice of the unit' },
    { flag: 'conntrack-max', at: '1.17', instead: '--conntrack-max-per-core' },
    { flag: 'healthz-port', at: '1.26', instead: '--healthz-bind-address' },
    { flag: 'metrics-port', at: '1.26', instead: '--metrics-bind-address' },
    { flag: 'logtostderr', at: '1.26', instead: 'nothing: it logs to stderr' },
  ],
};
