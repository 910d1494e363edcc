import type { Component } from './rows.ts';

export const kubelet: Component = {
  file: { apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration' },
  rows: [
    { in: 'flag', name: 'config', from: 'config_file', since: '1.10', source: '1.10: the file became beta' },
    { in: 'flag', name: 'kubeconfig', from: 'kubeconfig', source: '-' },
    { in: 'flag', name: 'hostname-override', from: 'hostname', source: '-' },
    { in: 'flag', name: 'node-ip', from: 'node_ip', source: '-' },
    { in: 'flag', name: 'node-labels', from: 'node_labels', source: '-' },
    { in: 'flag', name: 'register-with-taints', from: 'taints', source: '-' },
    { in: 'flag', name: 'allow-privileged', is: true, until: '1.15', source: '1.15 removed it: policy decides' },
    {
      in: 'flag',
      name: 'cadvisor-port',
      is: 0,
      until: '1.12',
      source: '1.12 removed it (kubernetes#65707); 0 closes the open port',
    },
    {
      ...{ in: 'flag', name: 'container-runtime', is: 'docker', when: { runtime: 'docker' }, until: '1.24' },
      source: '1.24 removed dockershim',
    },
    {
      ...{ in: 'flag', name: 'container-runtime', is: 'remote', when: { runtime: 'containerd' }, until: '1.27' },
      source: '1.27 removed it: remote is all there is',
    },
    {
      ...{ in: 'flag', name: 'container-runtime-endpoint', from: 'runtime_endpoint', until: '1.27' },
      ...{ when: { runtime: 'containerd' }, source: '1.27 moved it to the file' },
    },
    {
      ...{ in: 'file', name: 'containerRuntimeEndpoint', from: 'runtime_endpoint', since: '1.27' },
      ...{ when: { runtime: 'containerd' }, source: '1.27 brought the field' },
    },
    {
      ...{ in: 'flag', name: 'network-plugin', from: 'network_plugin', when: { runtime: 'docker' }, until: '1.24' },
      source: '1.24 removed it with dockershim',
    },
    {
      ...{ in: 'flag', name: 'cni-conf-dir', from: 'cni_conf_dir', when: { runtime: 'docker', network_plugin: 'cni' } },
      ...{ until: '1.24', source: '1.24 removed it with dockershim' },
    },
    {
      ...{ in: 'flag', name: 'cni-bin-dir', from: 'cni_bin_dir', when: { runtime: 'docker', network_plugin: 'cni' } },
      ...{ until: '1.24', source: '1.24 removed it with dockershim' },
    },
    {
      ...{ in: 'flag', name: 'pod-infra-container-image', from: 'pause_image', when: { runtime: 'docker' } },
      ...{ until: '1.24', source: '1.24: only the runtime starts pause containers' },
    },
    { in: 'flag', name: 'volume-plugin-dir', from: 'volume_plugin_dir', source: '-' },
    { in: 'flag', name: 'v', from: 'verbosity', source: '-' },
    { in: 'file', name: 'authentication.anonymous.enabled', is: false, source: '-' },
    { in: 'file', name: 'authentication.webhook.enabled', is: true, source: '-' },
    { in: 'file', name: 'authentication.x509.clientCAFile', from: 'client_ca', source: '-' },
    { in: 'file', name: 'authorization.mode', is: 'Webhook', source: '-' },
    { in: 'file', name: 'tlsCertFile', from: 'certificate', source: '-' },
    { in: 'file', name: 'tlsPrivateKeyFile', from: 'key', source: '-' },
    { in: 'file', name: 'clusterDNS', from: 'cluster_dns', source: '-' },
    { in: 'file', name: 'clusterDomain', from: 'cluster_domain', source: '-' },
    { in: 'file', name: 'cgroupDriver', from: 'cgroup_driver', source: '-' },
    { in: 'file', name: 'failSwapOn', from: 'fail_swap_on', source: '-' },
    { in: 'file', name: 'healthzBindAddress', is: '127.0.0.1', source: '-' },
    { in: 'file', name: 'healthzPort', from: 'healthz_port', as: 'number', source: '-' },
    { in: 'file', name: 'readOnlyPort', is: 0, source: '-' },
    { in: 'file', name: 'maxPods', from: 'max_pods', as: 'number', source: '-' },
    { in: 'file', name: 'resolvConf', from: 'resolv_conf', source: '-' },
    { in: 'file', name: 'staticPodPath', from: 'static_pod_path', source: '-' },
  ],
  ended: [
    { flag: 'containerized', at: '1.16', instead: 'a kubelet on the host' },
    { flag: 'dynamic-config-dir', at: '1.24', instead: 'kube_kubelet_config' },
    { flag: 'docker-endpoint', at: '1.24', instead: 'runtime containerd' },
    { flag: 'image-pull-progress-deadline', at: '1.24', instead: 'runtime containerd' },
    { flag: 'logtostderr', at: '1.26', instead: 'nothing: it logs to stderr' },
    { flag: 'log-dir', at: '1.26', instead: 'the journal' },
  ],
};
