import type { WorldView } from '../core/module.ts';
import { quoteAll } from '../core/quote.ts';
import { TaskFailure } from '../core/result.ts';
import { wait } from '../core/waits.ts';
import { readKnown } from './read.ts';

/** How a host asks the apiserver: as whom its certificate says. Paths are files on the host. */
export interface KubeApi {
  server: string;
  ca: string;
  certificate: string;
  key: string;
  /** Folder of kubectl. */
  bin_dir: string;
}

/** An answer of the apiserver, or why there is none. */
export type Told<T> = { told: T } | { problem: string };

/** What was told; the task fails when nothing was. */
export function told<T>(world: WorldView, family: string, id: string): T {
  const answer = readKnown<Told<T>>(world, family, id);
  if ('told' in answer) return answer.told;
  const hint = 'is the apiserver up, and does this machine hold a certificate of its own?';
  throw new TaskFailure(`the apiserver did not tell: ${answer.problem}`, {}, hint);
}

/** kubectl with nothing but these files: no kubeconfig of the user's is ever read. */
export function kubectl({ server, ca, certificate, key, bin_dir }: KubeApi, words: readonly string[]): string {
  return quoteAll([
    `${bin_dir}/kubectl`,
    '--kubeconfig=/dev/null',
    // Else it leaves what it learned of the API in whoever's home.
    '--cache-dir=/run/kube-cache',
    `--server=${server}`,
    `--certificate-authority=${ca}`,
    `--client-certificate=${certificate}`,
    `--client-key=${key}`,
    '--request-timeout=20s',
    ...words,
  ]);
}

/**
 * Shell functions that questions and steps share. `kf_kube COMMAND…` prints what it prints, or its complaint, and its
 * exit code in a last line.
 */
export const kubeLibrary = `kf_kube() {
  kf_o=$("$@" 2>&1 </dev/null); kf_r=$?
  printf '%s\\n%s' "$kf_o" "$kf_r"; kp_sep
}`;

/** Text of `kf_kube` taken apart. */
export function toldText(record: string): Told<string> {
  const at = record.lastIndexOf('\n');
  const text = record.slice(0, at);
  if (record.slice(at + 1) === '0') return { told: text };
  const last = text.trim().split('\n').at(-1) ?? '';
  return { problem: last.replace(/^error: /i, '') || `exit code ${record.slice(at + 1)}` };
}

/** curl options for the same; a body comes by standard input. */
export function curl({ ca, certificate, key }: KubeApi): string {
  const fixed = [
    'curl',
    '-q',
    '--silent',
    '--show-error',
    '--max-time',
    String(wait('kubernetes').timeout),
    '--globoff',
  ];
  return quoteAll([...fixed, '--cacert', ca, '--cert', certificate, '--key', key]);
}
