import type { ParamSpecs } from '../core/params.ts';
import { TaskFailure } from '../core/result.ts';
import type { KubeApi } from './kube-api.ts';

/** The parameter of every module and gate that asks the apiserver. */
export const apiParams = {
  api: {
    type: 'dict',
    doc: 'How the apiserver is asked: its URL as `server`, files on the host as `ca`, `certificate` and `key`, and the folder of kubectl as `bin_dir`',
    required: true,
  },
} as const satisfies ParamSpecs;

/** Just those fields, so that equal questions are one. Throws TaskFailure when one is missing. */
export function apiOf(given: Record<string, unknown>): KubeApi {
  const { server, ca, certificate, key, bin_dir = '/usr/local/bin' } = given;
  const api = { server, ca, certificate, key, bin_dir };
  for (const [name, value] of Object.entries(api))
    if (typeof value !== 'string' || value === '') throw new TaskFailure(`api has no ${name}`);
  if (!/^https?:\/\//.test(api.server as string)) throw new TaskFailure(`'${api.server}' is no URL of an apiserver`);
  return api as KubeApi;
}
