import { evidenceKey } from '../world/evidence.ts';
import { http, httpKey } from '../world/http.ts';
import { defineGate } from './define.ts';
import { type HttpParams, judge, queryOf } from './http.ts';

export const etcdHealthyGate = defineGate({
  name: 'etcd_healthy',
  doc: {
    summary: 'A member of etcd is healthy',
    notes: ['GET /health with a client certificate: it says true once the member has a leader and can write.'],
    examples: `- etcd_healthy:
    url: https://127.0.0.1:2379
    ca: /etc/kubernetes/pki/ca.pem
    certificate: /etc/kubernetes/pki/etcd.pem
    key: /etc/kubernetes/pki/etcd-key.pem
`,
  },
  params: {
    url: { type: 'str', operand: true, doc: 'Where it is, without a path', required: true },
    ca: { type: 'path', doc: 'File of the CA, on the host that asks', required: true },
    certificate: { type: 'path', doc: 'Client certificate to show', required: true },
    key: { type: 'path', doc: 'Its key', required: true },
    unit: { type: 'str', doc: 'Unit that is shown when it fails', default: 'etcd.service' },
  },
  interval: 1,
  timeout: 10,
  deadline: 600,
  facts: (params, ctx) => [httpKey(queryOf(request(params), ctx))],
  judge: (params, world, ctx) => judge(request(params), http(world, queryOf(request(params), ctx)), ctx),
  evidence: (params) => [evidenceKey(params.unit)],
});

function request(params: { url: string; ca: string; certificate: string; key: string }): HttpParams {
  const { url, ca, certificate: client_cert, key: client_key } = params;
  const about = { method: 'GET', headers: {}, status: [200], json: { health: 'true' }, validate_certs: true };
  return { ...about, forbidden_for: 30, url: `${url}/health`, ca, client_cert, client_key };
}
