import { evidenceKey } from '../world/evidence.ts';
import { http, httpKey } from '../world/http.ts';
import { defineGate } from './define.ts';
import { type HttpParams, judge, queryOf } from './http.ts';

export const kubeApiserverOnlineGate = defineGate({
  name: 'kube_apiserver_online',
  doc: {
    summary: 'An apiserver answers that it is healthy',
    notes: [
      'GET /healthz with the CA given. A certificate that is not trusted and 401 end it at once, 403 when it has lasted 30 s: a fresh apiserver answers it before its RBAC roles exist.',
    ],
    examples: '- kube_apiserver_online: {url: "https://10.0.0.10:6443", ca: /etc/kubernetes/pki/ca.pem}\n',
  },
  params: {
    url: { type: 'str', operand: true, doc: 'Where it is, without a path', required: true },
    ca: { type: 'path', doc: 'File of the CA, on the host that asks', required: true },
    client_cert: { type: 'path', doc: 'Certificate to show; needed where anonymous requests are refused' },
    client_key: { type: 'path', doc: 'Its key' },
    unit: { type: 'str', doc: 'Unit that is shown when it fails', default: 'kube-apiserver.service' },
  },
  interval: 3,
  timeout: 10,
  deadline: 500,
  facts: (params, ctx) => [httpKey(queryOf(request(params), ctx))],
  judge: (params, world, ctx) => judge(request(params), http(world, queryOf(request(params), ctx)), ctx),
  evidence: (params) => [evidenceKey(params.unit)],
});

interface ApiserverParams {
  url: string;
  ca: string;
  client_cert?: string | undefined;
  client_key?: string | undefined;
}

function request({ url, ca, client_cert, client_key }: ApiserverParams): HttpParams {
  const about = { method: 'GET', headers: {}, status: [200], body_contains: 'ok', validate_certs: true };
  return { ...about, forbidden_for: 30, url: `${url}/healthz`, ca, client_cert, client_key };
}
