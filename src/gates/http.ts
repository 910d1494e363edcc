import type { GateContext, Verdict } from '../core/gate.ts';
import { evidenceKey } from '../world/evidence.ts';
import { type HttpFact, type HttpQuery, http, httpKey } from '../world/http.ts';
import { defineGate } from './define.ts';
import { bodyTrouble } from './http-body.ts';

/** What a gate over HTTP asks and expects; the gates of Kubernetes are built on it. */
export interface HttpParams {
  url: string;
  method: string;
  status: number[];
  body_contains?: string | undefined;
  json?: Record<string, unknown> | undefined;
  headers: Record<string, unknown>;
  body?: string | undefined;
  ca?: string | undefined;
  client_cert?: string | undefined;
  client_key?: string | undefined;
  validate_certs: boolean;
  forbidden_for: number;
}

export const httpGate = defineGate({
  name: 'http',
  doc: {
    summary: 'An URL answers as it should',
    notes: [
      'Asked by curl, or for plain requests by wget, on the host that asks. Refused connections, time-outs, unknown names and 5xx are waited for.',
      'At an end at once: a certificate that is not trusted, an URL that is none, 400, 401, 405; and 403 when it has lasted (an apiserver makes its roles after it listens).',
    ],
    examples: '- http: {url: "https://10.0.0.10:6443/healthz", ca: /etc/kubernetes/pki/ca.crt, body_contains: ok}\n',
  },
  params: {
    url: { type: 'str', operand: true, doc: 'The URL', required: true },
    method: { type: 'str', doc: 'The method', default: 'GET' },
    status: { type: 'list', elements: 'int', doc: 'Status codes that pass', default: [200] },
    body_contains: { type: 'str', doc: 'Text that the answer must hold' },
    json: { type: 'dict', doc: 'Values by dotted path that the answer must have; "*" stands for anything but nothing' },
    headers: { type: 'dict', doc: 'Headers of the request', default: {}, secret: true },
    body: { type: 'str', doc: 'Body of the request', secret: true },
    ca: { type: 'path', doc: 'File of trusted certificates, on the host that asks' },
    client_cert: { type: 'path', doc: 'Certificate to show' },
    client_key: { type: 'path', doc: 'Its key' },
    validate_certs: { type: 'bool', doc: 'Check the certificate of the server', default: true },
    forbidden_for: { type: 'int', doc: 'Seconds that 403 may last', default: 30 },
    unit: { type: 'str', doc: 'Unit whose status and journal are shown when the gate fails' },
  },
  interval: 3,
  timeout: 10,
  deadline: 300,
  facts: (params, ctx) => [httpKey(queryOf(params as HttpParams, ctx))],
  judge: (params, world, ctx) => judge(params as HttpParams, http(world, queryOf(params as HttpParams, ctx)), ctx),
  evidence: (params) => (params.unit === undefined ? [] : [evidenceKey(params.unit)]),
});

export function queryOf(params: HttpParams, ctx: GateContext): HttpQuery {
  const headers = Object.entries(params.headers).map(([name, value]) => `${name}: ${value}`);
  return {
    url: params.url,
    method: params.method,
    ...(headers.length > 0 ? { headers } : {}),
    ...(params.body === undefined ? {} : { body: params.body }),
    ...(params.ca === undefined ? {} : { ca: params.ca }),
    ...(params.client_cert === undefined ? {} : { cert: params.client_cert }),
    ...(params.client_key === undefined ? {} : { key: params.client_key }),
    ...(params.validate_certs ? {} : { insecure: true }),
    timeout: Math.max(1, Math.floor(ctx.timeout)),
  };
}

/** Answers that waiting may mend are told from those it will not. */
export function judge(params: HttpParams, answer: HttpFact, ctx: GateContext): Verdict {
  if (answer.tool === 'none') return fail(`${ctx.from} has neither curl nor wget to ask ${params.url} with`);
  if (answer.status === 0) return noAnswer(params, answer);
  if (params.status.includes(answer.status)) {
    const trouble = bodyTrouble(params, answer.body);
    return trouble
      ? wait(`${params.url} answers ${answer.status}, but ${trouble}`)
      : { verdict: 'pass', detail: `${answer.status}` };
  }
  return wrongStatus(params, answer, ctx);
}

function wrongStatus(params: HttpParams, answer: HttpFact, ctx: GateContext): Verdict {
  const reason = `${params.url} answers ${answer.status}`;
  if (permanentStatus[answer.status]) return fail(`${reason}: ${permanentStatus[answer.status]}`);
  if (answer.status !== 403) return wait(reason);
  const lasted = ctx.last?.reason === reason ? ctx.last.seconds : 0;
  return lasted >= params.forbidden_for ? fail(`${reason} for ${Math.floor(lasted)} s`) : wait(reason);
}

const permanentStatus: Record<number, string> = {
  400: 'it does not understand the request (plain HTTP to a TLS port?)',
  401: 'it does not accept who asks',
  405: 'it does not know that method there',
};

function noAnswer(params: HttpParams, answer: HttpFact): Verdict {
  const said = answer.error || `${answer.tool} exit code ${answer.rc}`;
  const permanent =
    answer.tool === 'curl' ? curlPermanent[answer.rc] : answer.rc === 5 ? 'the certificate is not trusted' : undefined;
  return permanent ? fail(`${params.url}: ${permanent} (${said})`) : wait(`${params.url}: ${said}`);
}

/** curl's exit codes that no waiting mends. */
const curlPermanent: Record<number, string> = {
  1: 'curl does not know that protocol',
  2: 'curl could not begin',
  3: 'that is no URL',
  51: 'the certificate is for another name',
  58: 'the client certificate or its key is of no use',
  60: 'the certificate is not trusted',
  77: 'the file of trusted certificates is of no use',
  127: 'curl is gone',
};

function wait(reason: string): Verdict {
  return { verdict: 'wait', reason };
}

function fail(reason: string): Verdict {
  return { verdict: 'fail', reason };
}
