import * as assert from 'uvu/assert';
import type { RunEvent } from '../../../src/core/events.ts';
import { ciLog } from '../../../src/report/ci-groups.ts';
import { foldAll, summary, summaryFile } from '../../../src/report/fold.ts';
import { createJsonLines, planDocument } from '../../../src/report/json.ts';
import { createPlain, type PlainOptions } from '../../../src/report/plain.ts';
import { planModel } from '../../../src/report/plan-fold.ts';
import { recapModel, recapText } from '../../../src/report/recap.ts';
import { createStyle, plainStyle } from '../../../src/report/style.ts';
import { suite } from '../../support/harness.ts';
import { golden } from './support/golden.ts';
import { emptyPlan, fullPlan } from './support/plans.ts';
import { failing } from './support/runs.ts';
import { names, Scenario } from './support/scenario.ts';

const log = suite('plain, json, recap');

log('a run with failures, line by line', () => golden('plain-failing.txt', plain(failing().events).out));
log('the same with -v', () => golden('plain-failing-v.txt', plain(failing().events, { verbosity: 1 }).out));
log('warnings go to stderr', () =>
  assert.is(plain(failing().events).err, 'warning: pattern `spare` matches no host  site.yml:3:5\n'),
);

log('no control character whatever a host prints, at any verbosity', () => {
  for (const verbosity of [0, 1, 2, 3, 4]) {
    const { out, err } = plain(failing().events, { verbosity, diff: true });
    assert.not.match(out + err, /[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
  }
});

log('every line of a host begins with it', () => {
  const lines = plain(failing().events, { verbosity: 4, diff: true }).out.trim().split('\n');
  for (const line of lines) assert.match(line, /^(h[1-4](: | [|!] )|kpush apply|wave |batch )/);
});

log('recap of a run with failures', () => {
  const model = foldAll(recapModel(), failing().events);
  golden('recap-failing.txt', recapText(model, { style: plainStyle, next: ['kpush logs latest h1'] }));
});

log('recap of 200 hosts counts alike ones together', () => {
  const s = new Scenario(names('node', 200)).play(1, 1, 'All');
  for (const [i, host] of s.hosts.entries()) s.task(host, 'Work', i % 50 === 7 ? 'changed' : 'ok', { ms: i });
  const model = foldAll(recapModel(), s.after(3000).playEnd(1).events);
  golden('recap-wide.txt', recapText(model, { style: plainStyle, next: [] }));
});

log('GitHub gets groups and marks, and no command that a host wrote', () => {
  const s = failing();
  s.output('h3', 'x', '::set-env name=PATH::evil\n##[command]evil\n');
  s.emit({ type: 'warning', message: '::error::from a name' });
  const { out, err } = plain(s.events, { verbosity: 1, ci: ciLog({ GITHUB_ACTIONS: 'true' }) });
  const commands = (out + err).split('\n').filter((line) => /^\s*::|##\[/.test(line));
  const place = '::error file=playbooks/site.yml';
  assert.equal(commands, [
    '::group::Wave 1 of 2: Prepare nodes',
    '::endgroup::',
    '::group::Wave 2 of 2: Start',
    `${place},line=58,col=7::h1: Start kubelet: kubelet.service on h1 did not start`,
    `${place},line=58,col=7::h2: Start kubelet: kubelet.service on h2 did not start`,
    `${place},line=64,col=7::h3: gate apiserver online: HTTP 500 after 300 s`,
    '::endgroup::',
  ]);
});

log('GitLab gets sections', () => {
  const { out } = plain(failing().events, { ci: ciLog({ GITLAB_CI: 'true' }) });
  assert.match(out, /\x1b\[0Ksection_start:1768442400:wave_1\r\x1b\[0KWave 1 of 2: Prepare nodes\n/);
  assert.is(out.match(/section_start/g)?.length, out.match(/section_end/g)?.length);
  assert.is(ciLog({}), undefined);
});

log('a gate that waits is told when its answer changes, and every half minute', () => {
  const s = new Scenario(['h1']).play(1, 1, 'Wait');
  for (const [ms, reason] of [
    [0, 'a'],
    [1000, 'a'],
    [1000, 'b'],
    [29_000, 'b'],
    [2000, 'b'],
  ] as const)
    s.after(ms).gate('h1', 'g', 'waiting', { reason, attempts: 1 });
  const lines = plain(s.events)
    .out.split('\n')
    .filter((line) => line.includes('waits'));
  assert.equal(
    lines.map((line) => line.slice(-1)),
    ['a', 'b', 'b'],
  );
});

log('JSON lines hold every event as it was', () => {
  const s = failing();
  let text = '';
  const display = createJsonLines((line) => {
    text += line;
  });
  for (const event of s.events) display.add(event);
  const parsed = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.is(parsed[0].schema, 1);
  assert.equal(parsed.slice(1), JSON.parse(JSON.stringify(s.events.slice(1))));
});

log('a plan as one JSON document', () => {
  const text = planDocument(foldAll(planModel(), fullPlan().events), foldAll(summary(), fullPlan().events));
  golden('plan-full.json.txt', text);
  assert.is(JSON.parse(text).totals.change, 15);
});

log('--summary-file', () => {
  const s = failing();
  const text = summaryFile(foldAll(summary(), s.events));
  const parsed = JSON.parse(text);
  assert.equal(Object.keys(parsed), ['hosts', 'ok', 'class', 'seconds']);
  const counts = { ok: 4, changed: 1, skipped: 1, failed: 1, unreachable: 0, rescued: 0, ignored: 1, unknown: 0 };
  assert.equal(parsed.hosts.h1, counts);
  assert.equal(parsed.hosts.h3, { ...counts, ok: 5, changed: 2 });
  assert.equal([parsed.hosts.h4.unreachable, parsed.ok, parsed.class], [1, false, 'unreachable']);
  assert.equal(JSON.parse(summaryFile(foldAll(summary(), []))), { hosts: {}, ok: true, class: 'ok', seconds: 0 });
  assert.is(JSON.parse(summaryFile(foldAll(summary(), emptyPlan().events))).hosts.h1.skipped, 1);
});

log.run();

function plain(events: RunEvent[], more: Partial<PlainOptions> = {}) {
  const text = { out: '', err: '' };
  const display = createPlain({
    out: (piece) => (text.out += piece),
    err: (piece) => (text.err += piece),
    style: createStyle({ color: false, unicode: true }),
    verbosity: 0,
    diff: false,
    ...more,
  });
  for (const event of events) display.add(event);
  display.end();
  return text;
}
