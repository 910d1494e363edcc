import { suite } from '../support/harness.ts';
import { golden } from '../unit/report/support/golden.ts';
import { Terminal } from '../unit/report/support/terminal.ts';
import { kpush } from './support/program.ts';

const screens = suite('whole screens', { timeout: 60_000 });

/** What is left on the screen, with all that scrolled out of it. What is drawn meanwhile: test/unit/report/progress. */
const shown: [script: string, what: string, args: string[]][] = [
  ['failing', 'an apply that failed', ['apply', '--yes']],
  ['wide-failing', 'an apply that failed, of 200 hosts', ['apply', '--yes']],
  ['plan', 'a plan', ['plan', '--diff']],
  ['wide-plan', 'a plan of 200 hosts', ['plan']],
];

for (const [script, what, args] of shown) {
  for (const [columns, rows] of [
    [80, 24],
    [120, 40],
    [40, 15],
  ] as const)
    screens(`${what} at ${columns}×${rows}`, async () => {
      const { out } = await kpush(script, args, { terminal: [columns, rows] });
      const terminal = new Terminal(columns, rows);
      terminal.write(out);
      golden(`screen-${script}-${columns}x${rows}.txt`, await terminal.text());
    });
  screens(`${what}, plain`, async () =>
    golden(`screen-${script}-plain.txt`, await both(script, [...args, '--output', 'plain'])),
  );
  screens(`${what}, as JSON`, async () =>
    golden(`screen-${script}-json.txt`, await both(script, [...args, '--output', 'json'])),
  );
}

screens('a gate that waits, plain and as JSON', async () => {
  golden('screen-midway-plain.txt', await both('midway', ['apply', '--output', 'plain', '-v']));
  golden('screen-midway-json.txt', await both('midway', ['apply', '--output', 'json']));
});

screens.run();

/** What a pipe gets on stdout, then on stderr. */
async function both(script: string, args: string[]): Promise<string> {
  const { out, err } = await kpush(script, args);
  return `${out}=== stderr\n${err}`;
}
