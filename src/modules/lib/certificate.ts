import { X509Certificate } from 'node:crypto';
import ipaddr from 'ipaddr.js';

export interface WantedCertificate {
  commonName: string;
  organization?: string | undefined;
  /** DNS names and addresses. */
  names: readonly string[];
  /** Milliseconds that must be left, at `now` (milliseconds since the epoch). */
  renewMs: number;
  now: number;
}

/** What is wrong with a certificate, in words; undefined: nothing. Both texts are PEM. */
export function certificateTrouble(pem: string, caPem: string, wanted: WantedCertificate): string | undefined {
  const [certificate, ca] = [parsed(pem), parsed(caPem)];
  if (!certificate) return 'what is there is no certificate';
  if (!ca || !certificate.checkIssued(ca) || !certificate.verify(ca.publicKey)) return 'it is of another CA';
  return subjectTrouble(certificate, wanted) ?? namesTrouble(certificate, wanted) ?? ageTrouble(certificate, wanted);
}

function parsed(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function subjectTrouble(certificate: X509Certificate, wanted: WantedCertificate): string | undefined {
  const parts = (certificate.subject ?? '').split('\n');
  const has = (name: string) => parts.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1);
  if (has('CN') !== wanted.commonName) return `it is for ${has('CN') ?? 'nobody'}, not ${wanted.commonName}`;
  if (has('O') === (wanted.organization ?? undefined)) return undefined;
  return `it is of the group ${has('O') ?? '(none)'}, not ${wanted.organization ?? '(none)'}`;
}

function namesTrouble(certificate: X509Certificate, wanted: WantedCertificate): string | undefined {
  const have = new Set(alternativeNames(certificate));
  const want = new Set(wanted.names.map(canonical));
  const missing = [...want].filter((name) => !have.has(name));
  const extra = [...have].filter((name) => !want.has(name));
  if (missing.length > 0) return `it lacks the names ${missing.join(', ')}`;
  return extra.length > 0 ? `it also names ${extra.join(', ')}` : undefined;
}

/** `DNS:a, IP Address:10.0.0.1`, as node writes them. */
function alternativeNames(certificate: X509Certificate): string[] {
  const text = certificate.subjectAltName ?? '';
  return text === '' ? [] : text.split(', ').map((part) => canonical(part.slice(part.indexOf(':') + 1)));
}

function canonical(name: string): string {
  return ipaddr.isValid(name) ? ipaddr.parse(name).toString() : name.toLowerCase();
}

function ageTrouble(certificate: X509Certificate, { renewMs, now }: WantedCertificate): string | undefined {
  const left = Date.parse(certificate.validTo) - now;
  if (left >= renewMs) return undefined;
  return left <= 0 ? `it ended at ${certificate.validTo}` : `it ends in ${Math.floor(left / 3_600_000)} h`;
}
