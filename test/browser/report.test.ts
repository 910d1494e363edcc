import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as assert from 'uvu/assert';
import type { RunEvent } from '../../src/core/events.ts';
import { foldAll } from '../../src/report/fold.ts';
import { htmlReport } from '../../src/report/html.ts';
import { timeline } from '../../src/report/timeline.ts';
import { suite } from '../support/harness.ts';
import { tempFolder } from '../support/temp.ts';
import { fullPlan } from '../unit/report/support/plans.ts';
import { crowd, failing } from '../unit/report/support/runs.ts';

const browser = suite('HTML report in Chromium', { timeout: 120_000 });
const runs: [string, RunEvent[]][] = [
  ['a run with failures', failing().events],
  ['200 hosts', crowd().events],
  ['a plan', fullPlan().events],
];

for (const [name, events] of runs)
  browser(`${name}: opens without errors, its script runs, its timeline is that of the journal`, () => {
    const { dom, log } = open(htmlReport(events));
    assert.not.match(log, /CONSOLE|Uncaught|Refused to/i);
    assert.match(dom, /<div class="filters">/); // hidden until the script has run
    const bars = [
      ...dom.matchAll(/<rect class="(?:step|gate|connect) [^"]*"[^>]*data-start="(\d+)" data-end="(\d+)"/g),
    ];
    const { hosts } = foldAll(timeline(), events);
    const wanted = hosts.flatMap((host) => host.bars.map((bar) => `${bar.start} ${bar.end}`));
    const drawn = bars.map((bar) => `${bar[1]} ${bar[2]}`);
    if (hosts.length <= 150) assert.equal(drawn.sort(), wanted.sort());
    else assert.ok(drawn.length > 50 && drawn.every((bar) => wanted.includes(bar)));
  });

browser('a page that tries more than it may is caught by these checks', () => {
  const page = htmlReport(failing().events).replace('<header>', '<header><img src="https://example.org/x.png">');
  assert.match(open(page).log, /Content Security Policy/);
});

browser.run();

/** The page as Chromium has it after its script ran, and what the console said. */
function open(page: string): { dom: string; log: string } {
  const dir = tempFolder('browser');
  const file = join(dir, 'report.html');
  writeFileSync(file, page);
  const own = ['--no-sandbox', '--disable-gpu', '--enable-logging=stderr', `--user-data-dir=${join(dir, 'profile')}`];
  const args = ['--headless', ...own, '--virtual-time-budget=2000', '--dump-dom', pathToFileURL(file).href];
  const done = spawnSync('chromium', args, { encoding: 'utf8', timeout: 60_000, maxBuffer: 1 << 28 });
  if (done.error)
    throw new Error(`this suite needs chromium on the PATH (apt-get install chromium): ${done.error.message}`);
  const log = done.stderr
    .split('\n')
    .filter((line) => /CONSOLE|Security Policy/.test(line))
    .join('\n');
  return { dom: done.stdout, log };
}
