import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { listRuns, readJournal } from '../../src/report/journal-read.ts';
import { suite } from '../support/harness.ts';
import { Terminal } from '../unit/report/support/terminal.ts';
import { kpush, type Ran, when } from './support/program.ts';

const terminal = suite('terminal and signals', { timeout: 30_000 });
const size: [number, number] = [80, 24];
const typed = (text: string) => (child: { stdin: { write(text: string): void } | null }) => child.stdin?.write(text);

terminal('on a terminal an apply is drawn and leaves its waves and recap', async () => {
  const shown = await screen(await kpush('failing', ['apply', '--yes'], { terminal: size }));
  assert.match(shown, /✖ Wave 1 of 2 {2}Prepare nodes/);
  assert.match(shown, /✖ unreachable: 4 of 4 hosts failed/);
});

terminal('CI, a dumb terminal and --output plain get lines', async () => {
  for (const [env, args] of [
    [{ CI: 'true' }, []],
    [{ TERM: 'dumb' }, []],
    [{}, ['--output', 'plain', '--no-color']],
  ] as const) {
    const { out } = await kpush('failing', ['apply', ...args], { terminal: size, env });
    assert.match(out, /h1: FAILED {2}Start kubelet|\x1b\[31mFAILED/);
    assert.not.match(out, /\x1b\[\?25l/);
  }
});

terminal('apply shows the plan and asks once; yes goes on', async () => {
  const ran = await kpush('ask', ['apply'], { terminal: size, watch: when(/\[y\/N\]/, typed('y\n')) });
  const shown = await screen(ran);
  assert.match(
    shown,
    /Plan of playbooks[\s\S]*1 to change on 1 host\n\nGo on with 1 to change on 1 host\? \[y\/N\] y\n[\s\S]*✔ 1 changed on 1 host/,
  );
  assert.is(ran.exit, 0);
});

terminal('anything else changes nothing', async () => {
  for (const answer of ['n\n', '\n', 'yess\n']) {
    const ran = await kpush('ask', ['apply'], { terminal: size, watch: when(/\[y\/N\]/, typed(answer)) });
    assert.match(ran.out, /Nothing was changed\./);
    assert.equal([ran.exit, (await screen(ran)).includes('1 changed')], [0, false]);
  }
});

terminal('Ctrl-C at the question changes nothing, exit 130', async () => {
  const ran = await kpush('ask', ['apply'], { terminal: size, watch: when(/\[y\/N\]/, typed('\x03')) });
  assert.match(ran.out, /Nothing was changed\./);
  assert.is(ran.exit, 130);
});

terminal('a plan that would fail is shown and not gone on with', async () => {
  const ran = await kpush('ask', ['apply', '--strict', '--summary-file', 's'], { terminal: size });
  assert.match(
    await screen(ran),
    /would fail: no disk[\s\S]*1 to change on 1 host, 1 would fail\nNothing was changed\.\n$/,
  );
  assert.is(ran.exit, 2);
  const { hosts } = JSON.parse(readFileSync(join(ran.dir, 's'), 'utf8'));
  assert.equal([hosts.h1.changed, hosts.h1.failed], [0, 1]);
});

terminal('--yes, a pipe and CI do not ask', async () => {
  assert.not.match((await kpush('ask', ['apply', '--yes'], { terminal: size })).out, /\[y\/N\]/);
  assert.not.match((await kpush('ask', ['apply'])).err, /\[y\/N\]/);
  assert.not.match((await kpush('ask', ['apply'], { terminal: size, env: { CI: '1' } })).out, /\[y\/N\]/);
});

terminal('a plan draws on stderr while it is made', async () => {
  const ran = await kpush('plan', ['plan'], { terminal: size });
  assert.match(await screen(ran), /^Plan of playbooks/);
});

terminal('a password is asked without echo', async () => {
  const ran = await kpush('secret', ['apply', '--yes'], {
    terminal: size,
    watch: when(/Password: /, typed('tiger\x7frlily\r')),
  });
  assert.match(await screen(ran), /it was \*\*\*/);
  assert.not.match(ran.out, /tige/);
});

terminal('Ctrl-D at a password that is needed is no empty password: an error', async () => {
  const ran = await kpush('secret', ['apply', '--yes'], { terminal: size, watch: when(/Password: /, typed('\x04')) });
  assert.match(await screen(ran), /the input ended at 'Password:'/);
  assert.is(ran.exit, 1);
});

terminal('Ctrl-C once: the running steps end, nothing else; exit 130', async () => {
  const ran = await kpush('slow', ['apply', '--yes'], { terminal: size, watch: when(/tick/, typed('\x03')) });
  assert.match(ran.out, /interrupted: no step starts any more; still running: h1: long work, h2: long work/);
  assert.match(ran.out, /stopping: 2 running steps may end/);
  assert.equal([ran.exit, statuses(ran)], [130, ['ok', 'ok']]);
});

terminal('Ctrl-C twice: what runs is ended; exit 130', async () => {
  const ran = await kpush('slow', ['apply', '--yes', '--strict'], {
    terminal: size,
    watch: both(when(/tick/, typed('\x03')), when(/stopping/, typed('\x03'))),
  });
  assert.match(ran.out, /interrupted again: ending h1: long work, h2: long work/);
  assert.equal([ran.exit, statuses(ran)], [130, ['ended', 'ended']]);
});

terminal('Ctrl-C thrice: leaves at once, names what may be left, gives the cursor back', async () => {
  const ran = await kpush('stuck', ['apply', '--yes'], {
    terminal: size,
    watch: both(
      when(/tick/, typed('\x03')),
      when(/no step starts/, typed('\x03')),
      when(/interrupted again/, typed('\x03')),
    ),
  });
  assert.match(ran.out, /left at once; these steps were running[^\n]*\n\s*h1: long work\r?\n\s*h2: long work/);
  assert.ok(ran.out.lastIndexOf('\x1b[?25h') > ran.out.lastIndexOf('\x1b[?25l'));
  assert.is(ran.exit, 130);
});

for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const)
  terminal(`${signal} counts as the first Ctrl-C, without a terminal too`, async () => {
    const ran = await kpush('slow', ['apply', '-v'], { watch: when(/tick/, (child) => child.kill(signal)) });
    assert.match(ran.err, /interrupted: no step starts any more/);
    assert.equal([ran.exit, statuses(ran)], [130, ['ok', 'ok']]);
  });

terminal('two SIGTERM do not cut what runs', async () => {
  const ran = await kpush('slow', ['apply', '-v'], {
    watch: when(/tick/, (child) => {
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGTERM'), 200);
    }),
  });
  assert.equal([ran.exit, statuses(ran)], [130, ['ok', 'ok']]);
});

terminal('an interrupted plan shows no page', async () => {
  const ran = await kpush('slow', ['plan', '-v'], { watchErr: when(/begins Long/, (child) => child.kill('SIGINT')) });
  assert.equal([ran.out, ran.exit], ['', 130]);
  assert.match(ran.err, /no plan is shown, it would be incomplete/);
});

terminal.run();

function both(...watchers: ReturnType<typeof when>[]): ReturnType<typeof when> {
  return (text, child) => {
    for (const watcher of watchers) watcher?.(text, child);
  };
}

async function screen({ out }: Ran, columns = size[0], rows = size[1]): Promise<string> {
  const shown = new Terminal(columns, rows);
  shown.write(out);
  return shown.text();
}

/** How the steps ended, by the journal. */
function statuses({ dir }: Ran): string[] {
  const [run] = listRuns(join(dir, '.kpush'));
  return readJournal(run?.dir ?? '').events.flatMap((event) => (event.type === 'step-end' ? [event.status] : []));
}
