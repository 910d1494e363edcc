import type { ParamSpecs } from '../core/params.ts';
import type { KubeApi } from './kube-api.ts';

/** Parameters of every module and gate that asks the apiserver. */
export const apiParams = {
  server: { type: 'str', doc: 'URL of the apiserver', required: true },
  ca: { type: 'path', doc: 'File of the CA, on the host', required: true },
  certificate: { type: 'path', doc: 'Client certificate to show', required: true },
  key: { type: 'path', doc: 'Its key', required: true },
  bin_dir: { type: 'path', doc: 'Where kubectl is', default: '/usr/local/bin' },
} as const satisfies ParamSpecs;

/** Just those, so that equal questions are one. */
export function apiOf({ server, ca, certificate, key, bin_dir }: KubeApi): KubeApi {
  return { server, ca, certificate, key, bin_dir };
}
