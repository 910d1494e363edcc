/**
 * kpush with a made-up run in place of hosts: `node --import tsx fake.ts SCRIPT ARGS…`. Everything the CLI does around
 * a run is real: streams, terminal, signals, journal, exit code.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { cli } from '../../../src/cli/cli.ts';
import type { Io, Run } from '../../../src/cli/io.ts';
import { InputErrors, inputError } from '../../../src/core/errors.ts';
import type { EventBody } from '../../../src/core/events.ts';
import { emptyPlan, fullPlan, widePlan } from '../../unit/report/support/plans.ts';
import { failing, midway, wideFailing } from '../../unit/report/support/runs.ts';
import { Scenario } from '../../unit/report/support/scenario.ts';

const [script = '', ...argv] = process.argv.slice(2);

const replay =
  (make: () => Scenario): Run =>
  async (_options, sink) => {
    for (const event of make().events) sink(event);
    return { exit: 0 };
  };

const scripts: Record<string, Run> = {
  plan: replay(fullPlan),
  empty: replay(emptyPlan),
  failing: replay(failing),
  'wide-plan': replay(widePlan),
  'wide-failing': replay(wideFailing),
  /** A gate that waits, cut off there. */
  midway: replay(midway),
  options: async (options) => {
    process.stdout.write(`${JSON.stringify(options)}\n`);
    return { exit: 0 };
  },
  input: async () => {
    const origin = { file: 'site.yml', line: 2, column: 5 };
    throw new InputErrors([
      inputError('unknown keyword `taks`', { origin, nearest: 'tasks' }),
      inputError('no hosts', { hint: 'add hosts:' }),
    ]);
  },
  /** An error met in the middle, with a place in a file. */
  middle: async (_options, sink) => {
    const origin = { file: 'site.yml', line: 2, column: 3 };
    const facts = { origin, expected: 'a file', nearest: 'b.yml' };
    for (const event of new Scenario(['h1'])
      .play(1, 1, 'A')
      .emit({ type: 'error', kind: 'input', message: 'no a.yml', facts }).events)
      sink(event);
    return { exit: 1 };
  },
  fault: async () => {
    throw new TypeError('x is not a function');
  },
  /** A long step on two hosts; a stop lets it end after a second, a close ends it. */
  slow: async (_options, sink, { stop, close }) => {
    const emit = (event: EventBody) => sink({ time: Date.now(), ...event });
    const s = new Scenario(['h1', 'h2'])
      .play(1, 1, 'Work')
      .step('h1', 'Long', 'long work')
      .step('h2', 'Long', 'long work');
    for (const { time: _time, ...event } of s.events) emit(event as EventBody);
    const clock = setInterval(
      () => emit({ type: 'step-output', host: 'h1', key: 'h1:Long', stream: 'stdout', text: 'tick\n' }),
      50,
    );
    await until(stop);
    await Promise.race([until(close), sleep(argv.includes('--strict') ? 60_000 : 1000)]);
    clearInterval(clock);
    const status = close.aborted ? 'ended' : 'ok';
    for (const host of ['h1', 'h2']) emit({ type: 'step-end', host, key: `${host}:Long`, status, rc: 0, ms: 1 });
    return { exit: 0 };
  },
  /** A step that nothing ends. */
  stuck: async (_options, sink) => {
    const s = new Scenario(['h1', 'h2'])
      .play(1, 1, 'Work')
      .step('h1', 'Long', 'long work')
      .step('h2', 'Long', 'long work');
    for (const event of s.events) sink(event);
    const output: EventBody = { type: 'step-output', host: 'h1', key: 'h1:Long', stream: 'stdout', text: 'tick\n' };
    setInterval(() => sink({ time: Date.now(), ...output }), 50);
    return new Promise(() => {});
  },
  /** An apply that asks after its plan. */
  ask: async (_options, sink, { confirm }) => {
    const emit = (event: EventBody) => sink({ time: Date.now(), ...event });
    const planned = new Scenario(['h1']);
    planned.emit({ type: 'phase', phase: 'plan' }).play(1, 1, 'Work').task('h1', 'Write', 'changed').playEnd(1);
    for (const { time: _time, ...event } of planned.events) emit(event as EventBody);
    if (argv.includes('--strict')) emit({ ...failure, host: 'h1' });
    if (argv.includes('--strict') || (confirm && !(await confirm()))) return { exit: 0 };
    emit({ type: 'phase', phase: 'apply' });
    const done = new Scenario(['h1']).play(1, 1, 'Work').task('h1', 'Write', 'changed').playEnd(1);
    for (const { time: _time, ...event } of done.events.slice(1)) emit(event as EventBody);
    return { exit: 0 };
  },
  secret: async (_options, sink, { prompt, conceal }) => {
    const typed = (await prompt?.('Password: ', { secret: true, required: true })) ?? 'hunter2hunter2';
    conceal(typed);
    const s = new Scenario(['h1']).play(1, 1, 'Work').task('h1', 'Leak', 'failed', { message: `it was ${typed}` });
    for (const event of s.events) sink(event);
    return { exit: 0 };
  },
  exec: async (_options, sink) => {
    const s = new Scenario(['h1', 'h2'], { verb: 'exec', playbook: 'uptime' }).play(1, 1, 'exec');
    s.step('h1', 'c', 'c').step('h2', 'c', 'c').output('h1', 'c', 'up 3 d').output('h2', 'c', 'oh no\n', 'stderr');
    s.output('h1', 'c', 'ays\n\x1b[31mred').stepEnd('h1', 'c').stepEnd('h2', 'c', 3);
    s.task('h1', 'c', 'changed').task('h2', 'c', 'failed', { failure: { command: 'c', rc: 3, stderr: 'oh no' } });
    for (const event of s.events) sink(event);
    return { exit: 2 };
  },
  ping: async (_options, sink) => {
    const s = new Scenario(['h1', 'h2'], { verb: 'ping' }).connect('h1').task('h1', 'setup', 'ok');
    s.emit({
      type: 'host-lost',
      host: 'h2',
      kind: 'auth',
      message: 'no key was accepted',
      facts: { hint: 'tried: a.key' },
    });
    for (const event of s.events) sink(event);
    return { exit: 4 };
  },
  facts: async (_options, sink) => {
    const s = new Scenario(['h1'], { verb: 'facts' }).task('h1', 'setup', 'ok', {
      result: { ansible_facts: { ansible_os_family: 'Debian' } },
    });
    for (const event of s.events) sink(event);
    return { exit: 0 };
  },
};

const failure = new Scenario([]).task('', 'Assert', 'failed', { message: 'no disk' }).events[1] as Extract<
  EventBody,
  { type: 'task' }
>;

const io: Io = {
  env: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  loadRun: async () => {
    const run = scripts[script];
    if (!run) throw new Error(`no script ${script}`);
    return run;
  },
};
process.exit(await cli(argv, io, process.env.KPUSH_ENTRY === 'kpush-playbook' ? 'kpush-playbook' : 'kpush'));

function until(signal: AbortSignal): Promise<void> {
  return new Promise((done) =>
    signal.aborted ? done() : signal.addEventListener('abort', () => done(), { once: true }),
  );
}
