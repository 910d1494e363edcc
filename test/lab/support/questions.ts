import type { FactKey, Question } from '../../../src/core/facts.ts';
import { loginIdentity } from '../../../src/core/identity.ts';
import { crontabKey } from '../../../src/world/crontab.ts';
import { debKey } from '../../../src/world/deb.ts';
import { evidenceKey } from '../../../src/world/evidence.ts';
import { httpKey } from '../../../src/world/http.ts';
import { idNameKey } from '../../../src/world/id-name.ts';
import { kubeLeaseKey } from '../../../src/world/kube-lease.ts';
import { kubeSettledKey } from '../../../src/world/kube-settled.ts';
import { selfKey } from '../../../src/world/self.ts';
import { tcpKey } from '../../../src/world/tcp.ts';
import { userKey } from '../../../src/world/user.ts';

const body = { method: 'POST', headers: ['X-Test: 1'], body: '{}', timeout: 5 };

const api = {
  server: 'https://127.0.0.1:6443',
  ca: '/no/ca.pem',
  certificate: '/no/cert.pem',
  key: '/no/key.pem',
  bin_dir: '/usr/local/bin',
};

/** Questions that no module's plan asks on a plain host: those of gates and of rare cases. /srv/x.deb must be there. */
export const moreQuestions: Question[] = [
  {
    identity: loginIdentity,
    keys: [
      crontabKey('root'),
      debKey('/srv/x.deb'),
      evidenceKey('ssh'),
      evidenceKey('no-such-unit'),
      httpKey({ url: 'http://127.0.0.1:9/', ...body }),
      httpKey({ url: 'http://127.0.0.1:22/', ...body }),
      idNameKey('passwd', 1),
      kubeLeaseKey({ api, component: 'kube-scheduler' }),
      kubeSettledKey({ api, node: 'h1' }),
      idNameKey('group', 65000),
      selfKey,
      tcpKey({ host: '127.0.0.1', port: 22 }),
      tcpKey({ host: '127.0.0.1', port: 9 }),
      userKey('root', { shadow: true }),
    ],
  },
];

/** The record without what moves by itself: times, sessions, what is free, and that the root is mounted read-only. */
export function moving({ family }: FactKey, record: string): string {
  if (family === 'clock-skew') return '';
  if (family === 'base') return record.split('\x1e').map(still).join('\x1e');
  // The unit's state is what is asked for; the lines of the journal below it come and go.
  if (family === 'evidence') return record.split('\n').slice(0, 2).join('\n');
  if (family === 'fetched' || family === 'http') return record.replace(/after \d+ ms/, 'after N ms');
  if (family === 'kube-lease') return record.replace(/\d{9,}/g, 'N');
  // The second number is the time of asking.
  if (family === 'apt-lists') return record.split(' ')[0]!;
  // Whether the file may be written, which is what the read-only mount changes.
  if (family === 'stat') return record.replace(/^(.)w/m, '$1-');
  return family === 'mounts' ? writable(record) : record;
}

function still(section: string): string {
  if (/^(mem|sizes|date|env)\n/.test(section)) return section.replace(/\d+/g, 'N');
  if (section.startsWith('lines\n')) return section.replace(/^(uptime|loadavg)=.*$/gm, '$1');
  return section.startsWith('mounts\n') ? writable(section) : section;
}

function writable(mounts: string): string {
  return mounts.replace(/\bro\b/g, 'rw');
}
