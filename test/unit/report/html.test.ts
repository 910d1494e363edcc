import * as assert from 'uvu/assert';
import { foldAll } from '../../../src/report/fold.ts';
import { htmlReport } from '../../../src/report/html.ts';
import { html, Markup } from '../../../src/report/markup.ts';
import { timeline } from '../../../src/report/timeline.ts';
import { suite } from '../../support/harness.ts';
import { fullPlan } from './support/plans.ts';
import { failing, midway } from './support/runs.ts';
import { names, Scenario } from './support/scenario.ts';

const report = suite('HTML report');

report('nothing from outside: no link, no image, only its own script', () => {
  const page = htmlReport(failing().events);
  assert.not.match(page, /(?:src|href)\s*=|url\(|@import|https?:/);
  assert.is(page.match(/<script/g)?.length, 1);
  assert.match(page, /default-src 'none'|default-src &#39;none&#39;/);
});

report('tags are balanced and attributes quoted, whatever is in it', () => {
  for (const s of [failing(), midway(), fullPlan(), hostile()]) assert.is(unbalanced(htmlReport(s.events)), '');
});

report('what hosts and playbooks say is text', () => {
  const page = htmlReport(hostile().events);
  assert.not.match(page, /<img|<b>bold|\x1b/);
  assert.match(page, /&#60;img src=x&#62;/);
});

report('a plan that broke off is not said to change nothing', () => {
  const begun = new Scenario(['h1'], { verb: 'plan' }).play(1, 1, 'A');
  const broken = [
    ...begun.events,
    { type: 'error' as const, time: 1, kind: 'input' as const, message: 'no a.yml', facts: {} },
  ];
  assert.match(htmlReport(begun.events), /ok: nothing to change/);
  assert.match(htmlReport(broken), /input \(exit code 1\): the plan is incomplete/);
});

report('the timeline matches the journal', () => {
  const { events } = failing();
  const page = htmlReport(events);
  const wanted = events.flatMap((event) => (event.type === 'step-start' ? [event.time] : []));
  const drawn = [...page.matchAll(/<rect class="step ok"[^>]*data-start="(\d+)" data-end="(\d+)"/g)];
  assert.equal(
    drawn.map((bar) => Number(bar[1])),
    wanted,
  );
  assert.equal(
    drawn.map((bar) => Number(bar[2]) - Number(bar[1])),
    [7000, 7000, 7000],
  );
  const line = foldAll(timeline(), events);
  assert.equal(
    line.waves.map((wave) => [wave.name, wave.failed]),
    [
      ['Prepare nodes', true],
      ['Start', true],
    ],
  );
  assert.equal(
    line.hosts.map((host) => [host.name, host.marks.map((mark) => mark.kind).join()]),
    [
      ['h1', 'failed'],
      ['h2', 'failed'],
      ['h3', ''],
      ['h4', 'lost'],
    ],
  );
  assert.equal(
    line.hosts[2]?.bars.map(({ kind, status, start, end }) => [kind, status, end - start]),
    [
      ['connect', 'ok', 0],
      ['step', 'ok', 7000],
      ['gate', 'passed', 3000],
      ['gate', 'failed', 300_000],
    ],
  );
});

report('positions follow time', () => {
  const page = htmlReport(failing().events);
  const [from, to] = [...(page.match(/data-start="(\d+)" data-end="(\d+)">/)?.slice(1) ?? [])].map(Number) as [
    number,
    number,
  ];
  for (const [, x, width, start, end] of page.matchAll(
    / x="([\d.]+)" y="[\d.]+" width="([\d.]+)" height="12" rx="2" data-start="(\d+)" data-end="(\d+)"/g,
  )) {
    const scale = (time: number) => 170 + ((time - from) / (to - from)) * 1020;
    assert.ok(Math.abs(Number(x) - scale(Number(start))) < 0.1);
    assert.ok(Math.abs(Number(width) - Math.max(1.5, scale(Number(end)) - scale(Number(start)))) < 0.2);
  }
});

report('of an apply that asked, predictions are left out', () => {
  const s = new Scenario(['h1'])
    .emit({ type: 'phase', phase: 'plan' })
    .play(1, 1, 'Predicted')
    .task('h1', 'Guess', 'changed');
  s.emit({ type: 'phase', phase: 'apply' }).play(1, 1, 'Real').task('h1', 'Do', 'changed').playEnd(1);
  const page = htmlReport(s.events);
  assert.not.match(page, /Predicted|Guess/);
  assert.match(page, /1 changed on 1 host/);
});

report('a run of 1,000 hosts stays a page', () => {
  const s = new Scenario(names('node', 1000)).play(1, 1, 'All');
  for (const host of s.hosts)
    s.step(host, 'Work', 'work').after(5).stepEnd(host, 'Work').task(host, 'Work', 'changed', { ms: 5 });
  const page = htmlReport(s.playEnd(1).events);
  assert.ok(page.length < 2_000_000, `${page.length}`);
  assert.match(page, /850 hosts on which less happened are not drawn/);
});

report('markup escapes text, keeps markup', () => {
  assert.is(
    html`<p title="${'"\'<&>'}">${new Markup('<i>')}${undefined}${false}${[1, 'a']}</p>`.text,
    '<p title="&#34;&#39;&#60;&#38;&#62;"><i>1a</p>',
  );
});

report.run();

function hostile(): Scenario {
  const s = new Scenario(['h1', '"><b>bold'], { playbook: '</title><img src=x>' }).play(1, 1, '<img src=x>');
  s.step('h1', 'x', '<img src=x>').output('h1', 'x', '</pre><img src=x>\x1b[2J\n').stepEnd('h1', 'x');
  const diff = [{ kind: 'text' as const, path: '/<img src=x>', before: null, after: '<img src=x onerror=x>\n' }];
  s.task('h1', '<img src=x>', 'changed', { steps: [{ key: 'k', title: 't', diff }] });
  s.task('"><b>bold', 'x', 'failed', {
    message: '<img src=x>',
    hint: '<img src=x>',
    failure: { command: '<img src=x>', stderr: '<img src=x>' },
  });
  return s.playEnd(1);
}

/** The first tag that is not closed in order; '' when all are. */
function unbalanced(page: string): string {
  const open: string[] = [];
  const body = page.replace(/<(style|script)>[\s\S]*?<\/\1>/g, '').replace(/<!doctype html>/, '');
  for (const [tag, close, name = '', rest = ''] of body.matchAll(/<(\/?)([a-z0-9]+)((?:[^<>"]|"[^"]*")*)>/g)) {
    if (/[^\s/]/.test(rest.replace(/\s[a-zA-Z0-9-]+(?:="[^"]*")?/g, ''))) return tag;
    if (close) {
      if (open.pop() !== name) return tag;
    } else if (!rest.endsWith('/') && !['meta', 'input', 'br'].includes(name)) open.push(name);
  }
  return open.join();
}
