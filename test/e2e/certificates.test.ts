import * as assert from 'uvu/assert';
import { suite } from '../support/harness.ts';
import { type Cluster, readyCluster } from './support/cluster.ts';

const certificates = suite('certificates of a cluster', { timeout: 600_000 });
const pki = '/etc/kubernetes/pki';
let cluster: Cluster;

certificates(
  'their ends are shown by plan and status, and with time left nothing is renewed or restarted',
  async () => {
    cluster = await readyCluster();
    const before = await state();
    const plan = await cluster.kpush(['plan']);
    assert.match(plan.output, /of \d+ certificates the first to end: .*, in (29|30) days/);
    const status = await cluster.kpush(['status']);
    assert.match(status.output, /h2 {2}no certificate has ended: the first ends in (29|30) days/);
    assert.match((await cluster.kpush(['apply', '--yes'])).output, /nothing changed/);
    // Less than they have left, by less than a day: what the timer goes by is written, and that is all.
    const close = await cluster.kpush(['apply', '--yes'], { vars: { kube_certificate_renew_hours: 700 } });
    assert.is(close.code, 0, close.output.slice(-4000));
    assert.match(close.output, /h2: changed +How certificates are renewed/, close.output.slice(-6000));
    assert.not.match(close.output, /changed +Certificates/);
    assert.equal(await state(), before);
  },
);

certificates('under the threshold each is issued anew, its reason is told, and who uses it starts once', async () => {
  const before = await state();
  const vars = { kube_certificate_hours: 5000, kube_certificate_renew_hours: 1000 };
  const plan = await cluster.kpush(['plan'], { vars });
  assert.match(plan.output, /it ends in \d+ h \S+ issued for system:node:h2/, plan.output.slice(-6000));
  const run = await cluster.kpush(['apply', '--yes'], { vars });
  assert.is(run.code, 0, run.output.slice(-4000));
  const after = await state();
  for (const [name, was] of Object.entries(before)) assert.is.not(after[name], was, name);
  const again = await cluster.kpush(['apply', '--yes'], { vars });
  assert.match(again.output, /nothing changed/, again.output.slice(-3000));
  assert.equal(await state(), after);
});

certificates('a machine whose clock is wrong gets none: it is looked at before anything is issued', async () => {
  const before = await state();
  await cluster.lab.sh(
    'h2',
    `printf '%s\\n' '#!/bin/sh' 'case $1 in +%s) echo $(($(/bin/date +%s) + 86400)) ;; *) exec /bin/date "$@" ;; esac' >/usr/local/sbin/date; chmod +x /usr/local/sbin/date`,
  );
  const run = await cluster.kpush(['apply', '--yes'], {
    vars: { kube_certificate_hours: 9000, kube_certificate_renew_hours: 6000 },
  });
  assert.is(run.code, 2, run.output.slice(-3000));
  assert.match(run.output, /The clock is 864\d\d s off the controller's/);
  assert.equal(await state(), before);
  await cluster.lab.sh('h2', 'rm /usr/local/sbin/date');
});

/** Certificates of h2 by what they are, and starts of those who use them. */
async function state(): Promise<Record<string, string>> {
  const text = await cluster.lab.sh(
    'h2',
    `for f in kubelet kube-proxy; do openssl x509 -in ${pki}/$f.pem -noout -serial; systemctl show -p InvocationID $f.service; done`,
  );
  const [kubelet = '', kubeletStart = '', proxy = '', proxyStart = ''] = text.trim().split('\n');
  return { kubelet, kubeletStart, proxy, proxyStart };
}

certificates.run();
