import * as assert from 'uvu/assert';
import { censor } from '../../../src/report/censor.ts';
import { foldAll } from '../../../src/report/fold.ts';
import { planModel } from '../../../src/report/plan-fold.ts';
import { planPage } from '../../../src/report/plan-page.ts';
import { createStyle, plainStyle } from '../../../src/report/style.ts';
import { suite } from '../../support/harness.ts';
import { golden } from './support/golden.ts';
import { emptyPlan, fullPlan, widePlan } from './support/plans.ts';
import { Scenario } from './support/scenario.ts';

const plan = suite('plan page');

plan('everything a plan can say, with diffs', () => golden('plan-full-diff.txt', page(fullPlan(), true)));
plan('the same without diffs', () => golden('plan-full.txt', page(fullPlan(), false)));
plan('200 hosts that change alike collapse', () => golden('plan-wide.txt', page(widePlan(), true)));
plan('nothing to change', () => golden('plan-empty.txt', page(emptyPlan(), true)));

plan('colours only what it also says in words', () => {
  const model = foldAll(planModel(), fullPlan().events.map(censor));
  const painted = planPage(model, { style: createStyle({ color: true, unicode: true }), diff: true });
  assert.is(painted.replace(/\x1b\[\d+m/g, ''), page(fullPlan(), true));
});

plan('a page never holds a control character or a secret', () => {
  const text = page(fullPlan(), true);
  assert.not.match(text, /[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
  assert.not.match(text, /new secret/);
  assert.match(text, /sha256:[0-9a-f]{12}, 10 bytes/);
});

plan('commands that differ by the name of their own host are alike', () => {
  const s = new Scenario(['web1', 'web2', 'web10']).play(1, 1, 'All');
  for (const host of s.hosts)
    s.task(host, 'Join', 'changed', {
      steps: [{ key: 'k', title: `join --name ${host} --file /x/${host}.pem web1-old` }],
    });
  assert.match(
    page(s, false),
    /~ Join {2}web1, web2, web10 [^\n]*\n {6}join --name <host> --file \/x\/<host>\.pem web1-old\n/,
  );
});

plan('hosts that cannot be reached say why, and stand together where it is for the same reason', () => {
  const s = new Scenario(['web1', 'web2', 'web3']).play(1, 1, 'All');
  const down = (host: string, message: string) =>
    s.task(host, 'Gathering Facts', 'unreachable', { message: `${host}: ${message}`, hint: 'is it on?' });
  down('web1', '192.0.2.1 port 22: connection refused');
  down('web2', '192.0.2.2 port 22: connection refused');
  down('web3', '192.0.2.3 port 22: no route to host');
  const text = page(s, false);
  assert.match(text, /✖ web1, web2\n +<host>: <address> port 22: connection refused\n +try: is it on\?\n/);
  assert.match(text, /✖ web3\n +web3: 192\.0\.2\.3 port 22: no route to host\n/);
});

plan('a plan before the question of an apply ends where the apply begins', () => {
  const s = fullPlan();
  s.emit({ type: 'phase', phase: 'apply' });
  s.task('h1', 'Later', 'changed');
  assert.is(page(s, true), page(fullPlan(), true));
});

plan.run();

function page(scenario: Scenario, diff: boolean): string {
  return planPage(foldAll(planModel(), scenario.events.map(censor)), { style: plainStyle, diff });
}
