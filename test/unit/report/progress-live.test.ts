import * as assert from 'uvu/assert';
import { Frame } from '../../../src/report/frame.ts';
import { createProgress } from '../../../src/report/progress.ts';
import { createStyle } from '../../../src/report/style.ts';
import { suite } from '../../support/harness.ts';
import { Scenario } from './support/scenario.ts';
import { Terminal } from './support/terminal.ts';

const live = suite('progress on a terminal');
const style = createStyle({ color: true, unicode: true });

live('a flood of events draws at most ten frames a second, and the end leaves a clean screen', async () => {
  const terminal = new Terminal(80, 24);
  const progress = createProgress({ screen: terminal, style, log: () => '', keep: true });
  const s = new Scenario(['h1']).play(1, 1, 'Flood').step('h1', 'Talk', 'talk');
  for (const event of s.events) progress.add(event);
  const start = performance.now();
  while (performance.now() - start < 1150) {
    for (let i = 0; i < 50; i++)
      progress.add({
        type: 'step-output',
        time: Date.now(),
        host: 'h1',
        key: 'h1:Talk',
        stream: 'stdout',
        text: `line ${i}\n`,
      });
    await new Promise((next) => setTimeout(next, 5));
  }
  const frames = terminal.writes.length;
  const most = (performance.now() - start) / 100 + 1;
  assert.ok(frames >= 2 && frames <= most, `${frames} frames, at most ${most}`);
  progress.add({ type: 'play-end', time: Date.now(), play: 'p1', failed: [] });
  await progress.end();
  assert.match(await terminal.text(), /^✔ Wave 1 of 1 {2}Flood {2}1 host {2}[\d.]+ (s|m|h)[^\n]*\n$/);
  assert.is(
    terminal.writes
      .map((write) => write.text)
      .join('')
      .match(/\x1b\[\?25h/g)?.length,
    1,
  );
});

live('listr2 listens to no signal and takes no stream over', async () => {
  const [write, listeners] = [process.stdout.write, process.listenerCount('SIGINT')];
  const progress = createProgress({ screen: new Terminal(80, 24), style, log: () => '', keep: false });
  for (const event of new Scenario(['h1']).play(1, 2, 'One').events) progress.add(event);
  assert.is(process.stdout.write, write);
  assert.is(process.listenerCount('SIGINT'), listeners);
  await progress.end();
});

live('lasting lines go above the frame', async () => {
  const terminal = new Terminal(60, 12);
  const log = (event: { type: string }) => (event.type === 'warning' ? 'warning: mind the gap\n' : '');
  const progress = createProgress({ screen: terminal, style, log, keep: true });
  const s = new Scenario(['h1']).play(1, 1, 'One').step('h1', 'Work', 'work');
  for (const event of s.events) progress.add(event);
  await shows(terminal, /Wave 1 of 1/);
  progress.add({ type: 'warning', time: s.now, message: '' });
  assert.match(await terminal.text(), /^warning: mind the gap\n\S Wave 1 of 1/);
  await progress.end();
});

live('a plan and the apply after it each have their waves', async () => {
  const terminal = new Terminal(60, 12);
  const progress = createProgress({ screen: terminal, style, log: () => '', keep: true });
  const s = new Scenario(['h1']).emit({ type: 'phase', phase: 'plan' }).play(1, 1, 'One').playEnd(1);
  s.emit({ type: 'phase', phase: 'apply' }).play(1, 1, 'One').step('h1', 'Work', 'work');
  for (const event of s.events) progress.add(event);
  await shows(terminal, /./);
  assert.match(await terminal.text(), /Wave 1 of 1 {2}One[^\n]*\n[^\n]*h1 {2}Work \(work\)/);
  progress.add({ type: 'play-end', time: s.now, play: 'p1', failed: ['h1'] });
  await progress.end();
  assert.match(await terminal.text(), /^✖ Wave 1 of 1 {2}One {2}1 host {2}1 failed {2}0\.0 s\n {2}✖ h1 {2}failed\n$/);
});

live('a narrower window leaves no ruins of the wider one', async () => {
  const terminal = new Terminal(100, 20);
  const frame = new Frame(terminal);
  const line = (n: number) => `row ${n} ${'x'.repeat(80)}`.slice(0, terminal.columns - 1);
  frame.draw([line(1), line(2), line(3)]);
  terminal.resize(40, 20);
  frame.resized();
  frame.draw([line(1), line(2), line(3)]);
  assert.is(await terminal.text(), `${[1, 2, 3].map(line).join('\n')}\n`);
});

live('what the terminal echoes for Ctrl-C is wiped', async () => {
  const terminal = new Terminal(40, 10);
  const frame = new Frame(terminal);
  frame.draw(['one', 'two']);
  terminal.write('^C');
  frame.draw(['one', 'three']);
  frame.draw(['one']);
  assert.is(await terminal.text(), 'one\n');
});

live.run();

/** Waits for what is drawn by a timer. */
async function shows(terminal: Terminal, pattern: RegExp) {
  for (let tries = 0; tries < 200 && !pattern.test(await terminal.text()); tries++)
    await new Promise((next) => setTimeout(next, 25));
  assert.match(await terminal.text(), pattern);
}
