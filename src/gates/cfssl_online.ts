import { X509Certificate } from 'node:crypto';
import type { GateContext, Verdict } from '../core/gate.ts';
import { evidenceKey } from '../world/evidence.ts';
import { type HttpFact, http, httpKey } from '../world/http.ts';
import { defineGate } from './define.ts';
import { type HttpParams, judge, queryOf } from './http.ts';

export const cfsslOnlineGate = defineGate({
  name: 'cfssl_online',
  doc: {
    summary: 'The API of a cfssl CA answers with its certificate',
    notes: [
      'POST of {} to /api/v1/cfssl/info. Without `ca` the server is not checked: what counts is the certificate that it tells, and `fingerprint` pins that one. Another fingerprint ends it at once.',
    ],
    examples: `- cfssl_online: {url: "https://10.0.0.10:8888"}
  from: pki:etcd:control_plane:nodes
`,
  },
  params: {
    url: { type: 'str', operand: true, doc: 'Where it is, without a path', required: true },
    ca: { type: 'path', doc: 'File of trusted certificates, on the host that asks' },
    fingerprint: { type: 'str', doc: 'SHA-256 of the CA certificate in hex; empty: any', default: '' },
    unit: { type: 'str', doc: 'Unit that is shown when it fails', default: 'cfssl.service' },
  },
  interval: 2,
  timeout: 10,
  deadline: 300,
  facts: (params, ctx) => [httpKey(queryOf(request(params), ctx))],
  judge: (params, world, ctx) => judgeInfo(params, http(world, queryOf(request(params), ctx)), ctx),
  evidence: (params) => [evidenceKey(params.unit)],
});

interface CfsslParams {
  url: string;
  ca?: string | undefined;
  fingerprint: string;
}

function request({ url, ca }: CfsslParams): HttpParams {
  const about = { method: 'POST', headers: {}, status: [200], body: '{}', forbidden_for: 30 };
  const expected = { json: { success: true, 'result.certificate': '*' } };
  return { ...about, ...expected, url: `${url}/api/v1/cfssl/info`, ca, validate_certs: ca !== undefined };
}

function judgeInfo(params: CfsslParams, answer: HttpFact, ctx: GateContext): Verdict {
  const verdict = judge(request(params), answer, ctx);
  if (verdict.verdict !== 'pass') return verdict;
  const found = fingerprintOf((JSON.parse(answer.body) as { result: { certificate: string } }).result.certificate);
  if (found === undefined) return { verdict: 'wait', reason: `${params.url} tells a certificate that is none` };
  const wanted = params.fingerprint.replaceAll(':', '').toLowerCase();
  if (wanted !== '' && wanted !== found)
    return { verdict: 'fail', reason: `the CA at ${params.url} has the fingerprint ${found}, expected ${wanted}` };
  return { verdict: 'pass', detail: `CA ${found.slice(0, 16)}…` };
}

function fingerprintOf(pem: string): string | undefined {
  try {
    return new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase();
  } catch {
    return undefined;
  }
}
