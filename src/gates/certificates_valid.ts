import { quoteAll } from '../core/quote.ts';
import { evidenceKey } from '../world/evidence.ts';
import { type Probe, probe, probeKey } from '../world/probe.ts';
import { defineGate } from './define.ts';

export const certificatesValidGate = defineGate({
  name: 'certificates_valid',
  doc: {
    summary: 'No certificate of a host has ended',
    notes: [
      "By the host's own clock. It says which one is the first to end; one that is near its end passes, for the host renews it by itself.",
    ],
    examples: `- certificates_valid:
    certificates: [/etc/kubernetes/pki/kubelet.pem]
    renew_hours: 72
`,
  },
  params: {
    certificates: { type: 'list', elements: 'path', doc: 'Files in PEM', required: true },
    renew_hours: { type: 'int', doc: 'With less than this left one is due to be renewed', default: 72 },
    unit: { type: 'str', doc: 'Unit that is shown when it fails', default: 'certmgr.service' },
  },
  interval: 5,
  timeout: 20,
  deadline: 60,
  facts: (params) => [probeKey(queryOf(params.certificates))],
  judge({ certificates, renew_hours }, world) {
    const { rc, stdout } = probe(world, queryOf(certificates));
    if (rc === 127) return { verdict: 'fail', reason: 'there is no openssl to look at certificates with' };
    const [now = '', ...lines] = stdout.trim().split('\n');
    const ends = lines.map((line) => endOf(line, Number(now)));
    const bad = ends.find(({ hours }) => hours === undefined || hours <= 0);
    if (bad)
      return { verdict: 'wait', reason: `${bad.path} ${bad.hours === undefined ? 'is no certificate' : 'has ended'}` };
    const first = ends.sort((a, b) => a.hours! - b.hours!)[0];
    if (!first) return { verdict: 'pass', detail: 'there are none' };
    return {
      verdict: 'pass',
      detail: `the first ends in ${lengthOf(first.hours!)}: ${first.path}${first.hours! < renew_hours ? ', due' : ''}`,
    };
  },
  evidence: ({ unit }) => [evidenceKey(unit)],
});

/** Seconds since the epoch first; then a path and what openssl says of its end. */
function queryOf(certificates: readonly string[]): Probe {
  const look = `for f in ${quoteAll([...certificates])}; do printf '%s %s\\n' "$f" "$(openssl x509 -noout -enddate -in "$f" 2>/dev/null)"; done`;
  return { command: `command -v openssl >/dev/null || exit 127; date +%s; ${look}`, timeout: 15 };
}

/** `notAfter=Dec 30 12:00:00 2026 GMT` */
function endOf(line: string, now: number): { path: string; hours: number | undefined } {
  const at = line.lastIndexOf(' notAfter=');
  if (at < 0) return { path: line.trim(), hours: undefined };
  const end = Date.parse(line.slice(at + ' notAfter='.length));
  return { path: line.slice(0, at), hours: Number.isNaN(end) ? undefined : (end / 1000 - now) / 3600 };
}

function lengthOf(hours: number): string {
  return hours < 48 ? `${Math.floor(hours)} h` : `${Math.floor(hours / 24)} days`;
}
