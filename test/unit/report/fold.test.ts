import * as assert from 'uvu/assert';
import type { EventBody, TaskEvent } from '../../../src/core/events.ts';
import { createBoard, updateBoard } from '../../../src/report/board.ts';
import { boardView } from '../../../src/report/board-view.ts';
import { distinctPlaybooks } from '../../../src/report/distinct.ts';
import { failures } from '../../../src/report/failures.ts';
import { foldAll, summary } from '../../../src/report/fold.ts';
import { hostList } from '../../../src/report/host-list.ts';
import { outcome } from '../../../src/report/outcome.ts';
import { planModel } from '../../../src/report/plan-fold.ts';
import { recapModel } from '../../../src/report/recap.ts';
import { plainStyle } from '../../../src/report/style.ts';
import { planTotals, totalsText } from '../../../src/report/totals.ts';
import { duration } from '../../../src/report/wording.ts';
import { suite } from '../../support/harness.ts';
import { names, Scenario } from './support/scenario.ts';

const fold = suite('folds');
type Step = (s: Scenario) => Scenario;

const failed: Step = (s) => s.task('h1', 'a', 'failed');
const gate: Step = (s) => s.gate('h1', 'g', 'failed');
const lost =
  (kind: 'unreachable' | 'auth' | 'internal'): Step =>
  (s) =>
    s.emit({ type: 'host-lost', host: 'h1', kind, message: 'm', facts: {} });
const error =
  (kind: 'input' | 'internal'): Step =>
  (s) =>
    s.emit({ type: 'error', kind, message: 'm', facts: {} });
const interrupt: Step = (s) => s.emit({ type: 'interrupt', count: 1, running: [] });
const task =
  (status: TaskEvent['status'], more: Partial<TaskEvent> = {}): Step =>
  (s) =>
    s.task('h1', 'a', status, more);
const included = (module: string): Step =>
  task('ok', { module, items: (['ok', 'skipped', 'ok'] as const).map((status, at) => ({ label: `${at}`, status })) });
const phase =
  (to: 'plan' | 'apply' | 'declined'): Step =>
  (s) =>
    s.emit({ type: 'phase', phase: to });

/** What happened, exit code and class; then the same with --detailed-exitcode. */
const exits: [string, Step[], [number, string], [number, string]][] = [
  ['nothing', [], [0, 'ok'], [0, 'ok']],
  ['a change', [task('changed')], [0, 'ok'], [2, 'changes']],
  ['an unknown', [task('unknown')], [0, 'ok'], [3, 'unknowns']],
  ['a change and an unknown', [task('unknown'), task('changed')], [0, 'ok'], [2, 'changes']],
  ['only what always runs', [task('changed', { always: true })], [0, 'ok'], [0, 'ok']],
  ['a failed task', [task('changed'), failed], [2, 'task'], [1, 'task']],
  ['an ignored failure', [task('failed', { ignored: true })], [0, 'ok'], [0, 'ok']],
  ['a rescued failure', [task('failed', { rescued: true })], [0, 'ok'], [0, 'ok']],
  ['an ignored loss', [task('unreachable', { ignored: true })], [0, 'ok'], [0, 'ok']],
  ['an unreachable host', [lost('unreachable')], [4, 'unreachable'], [4, 'unreachable']],
  ['a refused login', [lost('auth')], [4, 'auth'], [4, 'auth']],
  ['a failed gate', [gate], [5, 'gate'], [1, 'gate']],
  ['gate before task', [failed, gate], [5, 'gate'], [1, 'gate']],
  ['unreachable before gate', [gate, lost('unreachable')], [4, 'unreachable'], [4, 'unreachable']],
  ['internal before unreachable', [lost('unreachable'), lost('internal')], [1, 'internal'], [1, 'internal']],
  ['bad input', [error('input'), failed], [1, 'input'], [1, 'input']],
  [
    'an interrupt before all',
    [failed, gate, lost('unreachable'), error('internal'), interrupt],
    [130, 'interrupted'],
    [130, 'interrupted'],
  ],
  ['a failure that was only predicted', [phase('plan'), failed, phase('apply')], [0, 'ok'], [0, 'ok']],
  ['a plan that would fail', [phase('plan'), failed], [2, 'task'], [1, 'task']],
  [
    'a host lost while planning',
    [phase('plan'), lost('unreachable'), phase('declined')],
    [4, 'unreachable'],
    [4, 'unreachable'],
  ],
];
for (const [name, steps, plain, detailed] of exits)
  fold(`exit code: ${name}`, () => {
    const { events } = steps.reduce((s, step) => step(s), new Scenario(['h1']));
    const judged = [foldAll(outcome(), events), foldAll(outcome({ detailed: true }), events)];
    assert.equal(
      judged.map(({ exit, class: word }) => [exit, word]),
      [plain, detailed],
    );
    assert.equal(
      judged.map(({ ok }) => ok),
      [plain[0] === 0, plain[0] === 0],
    );
  });

const parts: [string, Step][] = [
  ['deps', task('failed', { module: 'apt' })],
  ['extract', task('failed', { module: 'hyperkube' })],
  ['unit', task('failed', { module: 'fresh_service' })],
  ['cfssl', (s) => s.gate('h1', 'g', 'failed', { gate: 'cfssl_online' })],
  ['apiserver', (s) => s.gate('h1', 'g', 'failed', { gate: 'kube_apiserver_online' })],
  ['node-online', (s) => s.gate('h1', 'g', 'failed', { gate: 'node_online' })],
];
for (const [word, step] of parts)
  fold(`class: ${word} says more than that a task or gate failed; the first one counts, the exit code stays`, () => {
    const first = step(new Scenario(['h1']));
    const isGate = first.events.some(({ type }) => type === 'gate');
    const both = isGate ? first.gate('h1', 'later', 'failed', { gate: 'unit_online' }) : task('failed')(first);
    const { exit, class: found } = foldAll(outcome(), both.events);
    assert.equal([found, exit], [word, isGate ? 5 : 2]);
  });

const none = { ok: 0, changed: 0, skipped: 0, failed: 0, unreachable: 0, rescued: 0, ignored: 0, unknown: 0 };
const counts: [string, Step[], Partial<typeof none>][] = [
  ['ok includes changed', [task('ok'), task('changed')], { ok: 2, changed: 1 }],
  [
    'a loop is one task',
    [task('changed', { items: names('i', 5).map((label) => ({ label, status: 'changed' as const })) })],
    { ok: 1, changed: 1 },
  ],
  ['a file included in a loop counts each time', [included('include_tasks')], { ok: 2 }],
  ['another loop counts once', [included('debug')], { ok: 1 }],
  ['ignored is ok and ignored', [task('failed', { ignored: true })], { ok: 1, ignored: 1 }],
  [
    'ignored and changed counts changed',
    [task('failed', { ignored: true, result: { changed: true } })],
    { ok: 1, ignored: 1, changed: 1 },
  ],
  ['ignored unreachable is ok and ignored', [task('unreachable', { ignored: true })], { ok: 1, ignored: 1 }],
  ['rescued is rescued alone', [task('failed', { rescued: true })], { rescued: 1 }],
  ['a lost host is unreachable once', [task('unreachable'), lost('unreachable')], { unreachable: 1 }],
  ['a failed gate is a failure', [task('ok'), gate], { ok: 1, failed: 1 }],
  ['unknown and skipped', [task('unknown'), task('skipped')], { unknown: 1, skipped: 1 }],
  ['predictions are forgotten', [phase('plan'), task('changed'), phase('apply'), task('ok')], { ok: 1 }],
  ['nothing was changed where the answer was no', [phase('plan'), task('changed'), phase('declined')], {}],
  ['nor where the plan would fail', [phase('plan'), task('changed'), failed], { failed: 1 }],
];
for (const [name, steps, wanted] of counts)
  fold(`counts: ${name}`, () => {
    const { events } = steps.reduce((s, step) => step(s), new Scenario(['h1']));
    assert.equal(foldAll(summary(), events).hosts.get('h1'), { ...none, ...wanted });
  });

const totals: [string, Step[], string][] = [
  ['nothing', [task('ok')], 'nothing to change'],
  ['one', [task('changed')], '1 to change on 1 host'],
  ['a failure, behind which more may come', [task('ok'), failed], '1 would fail'],
  ['a host that says nothing', [task('ok'), lost('unreachable')], '1 host unreachable'],
  [
    'all',
    [task('changed'), task('unknown'), task('changed', { always: true }), failed, lost('unreachable')],
    '1 to change on 1 host, 1 unknown, 1 always, 1 would fail, 1 host unreachable',
  ],
];
for (const [name, steps, wanted] of totals)
  fold(`totals: ${name}`, () => {
    const { events } = steps.reduce((s, step) => step(s), new Scenario(['h1']));
    assert.is(totalsText(foldAll(planTotals(), events)), wanted);
  });

fold('the same failure on many hosts is one, whatever address or host it names', () => {
  const s = new Scenario(names('h', 9));
  for (const host of s.hosts) {
    const message = `${host}: connection to 10.0.0.${host.slice(1)}:22 refused`;
    s.emit({ type: 'host-lost', host, kind: 'unreachable', message, facts: {} });
  }
  s.emit({ type: 'host-lost', host: 'x', kind: 'unreachable', message: 'no route', facts: {} });
  const found = foldAll(failures(), s.events);
  assert.equal(
    found.map(({ hosts, message }) => [hosts.length, message]),
    [
      [9, '<host>: connection to <address> refused'],
      [1, 'no route'],
    ],
  );
});

fold('the same failure at other times and with other processes is one; hosts as the inventory has them', () => {
  const s = new Scenario(['a', 'b', 'c']);
  const status = (host: string, time: string, pid: number, took: string) => ({
    message: 'x.service did not stay up',
    failure: {
      rc: 1,
      stderr: `Nov 30 ${time} name-of-${host} x[${pid}]: bad after ${took}\n× x.service - X\n Active: failed since Mon 2026-11-30 ${time} UTC\n Memory: ${pid}K`,
    },
  });
  s.task('c', 't', 'failed', status('c', '15:58:22', 175, '1s'));
  s.task('a', 't', 'failed', status('a', '15:58:23', 99, '15ms'));
  s.task('b', 't', 'failed', { message: 'x.service did not stay up', failure: { rc: 1, stderr: 'no such unit' } });
  assert.equal(
    foldAll(failures(), s.events).map(({ hosts }) => hosts),
    [['a', 'c'], ['b']],
  );
});

fold('a reboot stays what a host does, though it connects anew', () => {
  const s = new Scenario(['h1']).play(1, 1, 'A').step('h1', 'Restart', 'reboot').connect('h1');
  const board = createBoard();
  for (const event of s.events) updateBoard(board, event);
  const host = board.hosts.get('h1');
  assert.equal([host?.state, host?.doing, host?.step], ['running', 'Restart', 'reboot']);
});

const lists: [string[], string][] = [
  [[], ''],
  [['a'], 'a'],
  [['h1', 'h2'], 'h1, h2'],
  [['h1', 'h2', 'h3'], 'h[1:3]'],
  [['web08', 'web09', 'web10', 'db1'], 'web[08:10], db1'],
  [['web8', 'web9', 'web10'], 'web[8:10]'],
  [['web08', 'web09', 'web010'], 'web08, web09, web010'],
  [['a1.x', 'a2.x', 'a3.x', 'a5.x'], 'a[1:3].x, a5.x'],
  [['10-0-0-1', '10-0-0-2', '10-0-0-3'], '10-0-0-[1:3]'],
  [['a1b1', 'a2b1', 'a3b1', 'a3b2'], 'a[1:3]b1, a3b2'],
  [['q', 'w', 'e', 'r', 't', 'y', 'u', 'i', 'o'], 'q, w, e, r, t, y, u and 2 more'],
];
for (const [hosts, wanted] of lists) fold(`host list: ${wanted || 'none'}`, () => assert.is(hostList(hosts), wanted));

const spans: [number, string][] = [
  [0, '0.0 s'],
  [430, '0.4 s'],
  [9949, '9.9 s'],
  [9950, '10 s'],
  [59_499, '59 s'],
  [59_500, '1 m 00 s'],
  [62_000, '1 m 02 s'],
  [3_599_400, '59 m 59 s'],
  [3_599_600, '1 h 00 m'],
  [7_500_000, '2 h 05 m'],
];
for (const [ms, wanted] of spans) fold(`duration: ${wanted}`, () => assert.is(duration(ms), wanted));

fold('plays and tasks of a second playbook are others', () => {
  const distinct = distinctPlaybooks();
  const events = [
    ...new Scenario(['h1']).play(1, 1, 'A').task('h1', 'x', 'ok').events,
    ...new Scenario(['h1']).play(1, 1, 'B').task('h1', 'x', 'ok').events,
  ];
  const told = events.map(distinct) as (EventBody & { play?: string; task?: string })[];
  assert.equal(
    told.map((event) => [event.play, event.task].filter(Boolean).join(' ')),
    ['', 'p1', 'p1', 'p1 x', '', 'p1@2', 'p1@2', 'p1@2 x@2'],
  );
  assert.is(foldAll(planModel(), told as never).playbook, 'playbooks/site.yml, playbooks/site.yml');
});

fold(
  '1,000 hosts and 200 tasks: folded in seconds, drawn in milliseconds',
  () => {
    const hosts = names('node', 1000);
    const s = new Scenario(hosts).play(1, 1, 'All');
    const recap = recapModel();
    const plan = planModel();
    const board = createBoard();
    const start = processorTime();
    for (const event of s.events)
      for (const add of [recap.add, plan.add, (e: typeof event) => updateBoard(board, e)]) add(event);
    for (let t = 0; t < 200; t++) {
      const one = new Scenario([]).task('', `task ${t}`, t % 20 === 0 ? 'changed' : 'ok', { seq: t, ms: 3 }).events[1];
      for (const host of hosts) {
        const event = { ...(one as TaskEvent & { time: number }), host };
        recap.add(event);
        plan.add(event);
        updateBoard(board, event);
      }
    }
    const folded = processorTime() - start;
    const times = Array.from({ length: 10 }, (_, frame) => {
      const before = processorTime();
      boardView(board, { rows: 40, columns: 120, now: s.now, style: plainStyle, frame });
      return processorTime() - before;
    });
    const drawn = Math.min(...times);
    assert.is(plan.value().waves[0]?.tasks.length, 10);
    assert.ok(folded < 6000, `${folded} ms`);
    assert.ok(drawn < 50, `${drawn} ms`);
  },
  { timeout: 30_000 },
);

fold.run();

/** Milliseconds of processor time so far: what other processes do does not count. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
