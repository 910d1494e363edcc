import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { components, renderFile, renderFlags } from '../../../src/kubernetes/render.ts';
import type { Settings } from '../../../src/kubernetes/rows.ts';
import { suite } from '../../support/harness.ts';

interface Golden {
  component: string;
  name: string;
  settings: Settings;
  releases: Record<string, { flags?: string[]; file?: object; error?: string }>;
}

const flags = suite('kubernetes flags');
const text = readFileSync(join(import.meta.dirname, 'goldens.yaml'), 'utf8');
const goldens = parse(text, { merge: true }) as Golden[];

for (const { component, name, settings, releases } of goldens)
  for (const [release, expected] of Object.entries(releases))
    flags(`${component} ${name} of ${release}`, () => {
      if (expected.error) return assert.throws(() => renderFlags(component, release, settings), expected.error);
      assert.equal(renderFlags(component, release, settings), expected.flags);
      if (!expected.file) return;
      const { apiVersion, kind, ...rest } = renderFile(component, release, settings) as Record<string, unknown>;
      assert.match(String(apiVersion), /^kube(let|proxy)\.config\.k8s\.io\/v1(alpha|beta)1$/);
      assert.match(String(kind), /Configuration$/);
      assert.equal(rest, expected.file);
    });

flags("a user's own flags win, null leaves one out, lists repeat", () => {
  const own = renderFlags(
    'kube-scheduler',
    'v1.34.0',
    { kubeconfig: '/s', verbosity: 2 },
    { v: 4, 'leader-elect': null, x: ['a', 'b'] },
  );
  assert.equal(own.slice(-3), ['--v=4', '--x=a', '--x=b']);
  assert.not.ok(own.some((flag) => flag.startsWith('--leader-elect')));
});

flags('a flag that a release no longer has is refused, with what to use instead', () => {
  const ask = (name: string, release: string, flag: string) => () => renderFlags(name, release, {}, { [flag]: 'x' });
  assert.throws(ask('kubelet', 'v1.24.0', 'network-plugin'), 'takes no --network-plugin');
  assert.throws(ask('kube-apiserver', 'v1.19.0', 'basic-auth-file'), 'no --basic-auth-file since 1.19');
  assert.throws(ask('kube-controller-manager', 'v1.27.3', 'pod-eviction-timeout'), 'tolerationSeconds');
  assert.not.throws(ask('kube-controller-manager', 'v1.26.0', 'pod-eviction-timeout'));
});

flags('fields of a file are laid over, deeply; null takes one away', () => {
  const file = renderFile(
    'kubelet',
    'v1.28.0',
    { client_ca: '/ca' },
    { authentication: { x509: null, anonymous: { enabled: true } } },
  );
  assert.equal((file as { authentication: unknown }).authentication, {
    anonymous: { enabled: true },
    webhook: { enabled: true },
  });
});

flags('versions that are none are refused', () => {
  assert.throws(() => renderFlags('kubelet', '1.2', {}), 'no Kubernetes release');
  assert.throws(() => renderFlags('kube-dns', 'v1.20.0', {}), 'no component is called kube-dns');
});

flags('every row cites a release, and rows of one flag do not overlap', () => {
  const minor = (text: string | undefined, otherwise: number) => (text ? Number(text.split('.')[1]) : otherwise);
  for (const [name, { rows }] of Object.entries(components))
    for (const row of rows) {
      const changes = row.since !== undefined || row.until !== undefined;
      const cited = [row.since, row.until].filter(Boolean).some((release) => row.source.includes(release!));
      assert.ok(changes ? cited : row.source.startsWith('-'), `${name} ${row.name}: ${row.source}`);
      const twins = rows.filter((other) => other !== row && other.in === row.in && other.name === row.name);
      for (const twin of twins) {
        const apart = minor(row.until, 99) <= minor(twin.since, 0) || minor(twin.until, 99) <= minor(row.since, 0);
        assert.ok(apart || JSON.stringify(row.when) !== JSON.stringify(twin.when), `${name} ${row.name} twice`);
      }
    }
});

flags.run();
