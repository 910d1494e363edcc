import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { checkWaits, wait } from '../../../src/core/waits.ts';
import { suite } from '../../support/harness.ts';

const test = suite('waits');

test('KPUSH_WAITS goes above the table', () => {
  const before = process.env.KPUSH_WAITS;
  process.env.KPUSH_WAITS = 'exit.deadline=7, lock.interval=.25, none.deadline=3';
  try {
    assert.is(wait('exit').deadline, 7);
    assert.equal([wait('lock').interval, wait('lock').deadline], [0.25, 5]);
  } finally {
    if (before === undefined) delete process.env.KPUSH_WAITS;
    else process.env.KPUSH_WAITS = before;
  }
  assert.is(wait('exit').deadline, 2);
});

test('what no wait has is refused, with what there is', () => {
  for (const word of [
    'exit',
    'exit.deadline',
    'exit.deadline=0',
    'exit.deadline=-1',
    'exit.interval=1',
    'none.deadline=1',
  ])
    assert.throws(
      () => checkWaits(word),
      (error: Error) => error.message.includes(JSON.stringify(word)),
      word,
    );
  for (const word of ['__proto__.deadline=1', 'silence.deadline=2', 'lock.__proto__=1'])
    assert.throws(() => checkWaits(word), /KPUSH_WAITS has/, word);
  checkWaits('');
  checkWaits(undefined);
  checkWaits('silence.deadline=5 lock.deadline=0.5');
});

test('no wait of src hides from the table', () => {
  assert.equal(
    sources().flatMap(([file, text]) => hidden(text).map((line) => `${file}: ${line}`)),
    [],
  );
});

test('a hidden wait is found', () => {
  const planted = [
    'setTimeout(late, 3000);',
    'const timer = setInterval(() => tick(), 250);',
    'setTimeout(() => {\n  late();\n}, 2_000);',
    'await sleep(1);',
    'await pause(1000, undefined);',
    'const graceMs = 2000;',
    'const commandTimeout = 30_000;',
    'AbortSignal.timeout(500)',
    'spawnSync(a, { timeout: 60_000 })',
    '`\n  sleep 2\n`',
    '`curl --max-time 30 x`',
    "['--connect-timeout', '10']",
    '`wget -T 30`',
    '`nc -z -w 5 h`',
  ];
  for (const text of planted) assert.is(hidden(text).length, 1, text);
  for (const text of [
    'sleep .1 || sleep ${x}',
    '// setTimeout(f, 3000)',
    'setTimeout(f, ms(x))',
    'sleep $1',
    'x || sleep 1',
  ])
    assert.is(hidden(text).length, text.startsWith('sleep .1') ? 1 : 0, text);
});

/** Timers, sleeps and options of tools with a number of their own. Gates, modules and actions declare theirs. */
const shapes = [
  /\bset(?:Timeout|Interval)\((?:[^;`]|\n)*?,\s*[\d_]+\s*\)/g,
  /\b(?:sleep|pause)\(\s*[\d._]+/g,
  /\bAbortSignal\.timeout\(\s*[\d_]+/g,
  /\bconst \w+(?:Ms|Timeout|Grace|Patience) = [\d_]+/g,
  /(?<!\|\| )\bsleep \.?\d/g,
  /--?(?:max-time|connect-timeout|retry-delay|speed-time|retry-max-time)[=', ]+\d+/g,
  /\bwget\b.* -T \d+/g,
  /\bnc\b.* -w \d+/g,
  /(?:^|[{,])\s*timeout: [\d_]+\s*[,}]/gm,
  /^\s*\}, [\d_]+\);?$/gm,
];

function hidden(text: string): string[] {
  const code = text.replace(/^\s*(?:\/\/|\*|\/\*|#).*$/gm, '');
  return shapes.flatMap((shape) => code.match(shape) ?? []);
}

function sources(): [string, string][] {
  const root = fileURLToPath(new URL('../../../src/', import.meta.url));
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  return files
    .filter((file) => file !== 'core/waits.ts')
    .map((file) => [file, declared(file, readFileSync(root + file, 'utf8'))]);
}

/** Without the times that a gate or a step of a module declares: those are in docs/waits.md, too. */
function declared(file: string, text: string): string {
  if (file.startsWith('gates/')) return text.replace(/\btimeout: [\d_]+/g, '');
  return file.startsWith('modules/') ? text.replace(/^\s*timeout: [\d_]+,$/gm, '') : text;
}

test.run();
